// A lesson: its scene in the state that one chooses, predictions that are judged, and what a step shows in the scene.

async function lesson() {
  const view = document.getElementById("scene-view");
  if (!view) return; // the page that lists the lessons
  const scenes = await unpackedJson(document.getElementById("scenes").textContent);
  const links = [...document.querySelectorAll("#states a")];
  const changed = document.getElementById("changed");
  const articles = new Map(links.map((link) => [link.hash.slice(1), document.getElementById(link.hash.slice(1))]));
  let page = null;
  let state = "";
  let step = null;

  /** Say that numbers are those of the state while the scene is another. */
  function follow() {
    const other = page !== null && page.doc.edits.size > 0;
    document.body.classList.toggle("stale", other);
    const title = links.find((link) => link.hash === `#${state}`).textContent;
    const back = document.createElement("button");
    back.type = "button";
    back.textContent = "Set it back";
    back.onclick = () => choose(state);
    changed.hidden = !other;
    if (other && changed.dataset.of !== state) changed.replaceChildren(`You have changed the scene: answers and steps are those of \u201c${title}\u201d. `, back);
    changed.dataset.of = other ? state : "";
    showStep(other ? null : step);
  }

  /** Show in the scene what a step speaks of. */
  function showStep(chosen) {
    step = chosen ?? step;
    for (const each of document.querySelectorAll(".step")) each.classList.toggle("shown", each === chosen);
    veil();
    page?.drawAlso(chosen ? scenes[state].steps[chosen.dataset.step] : []);
  }

  /** Before an answer is seen or a shape is dragged, the scene tells no numbers. */
  function veil() {
    const open = articles.get(state).querySelector(".question details").open;
    page?.veil(!open && !page.doc.past.length && !step);
  }

  async function choose(name, scroll = false) {
    state = name;
    step = null;
    for (const [own, article] of articles) article.hidden = own !== name;
    for (const link of links) link.setAttribute("aria-current", String(link.hash === `#${name}`));
    const { facts } = scenes[name];
    page?.close();
    page = await mount(view, facts, { few: true, onchange: follow });
    globalThis.page = page; // to try things in the browser's console
    document.body.classList.toggle("alive", page !== null);
    for (const article of articles.values()) article.dataset.alive = article === articles.get(name) && page ? "yes" : "no";
    if (page && !page.world.elements.some((element) => ENDLESS.includes(page.world.kind(element)))) page.fit();
    follow();
    if (scroll) articles.get(name).scrollIntoView({ block: "start" });
  }

  for (const link of document.querySelectorAll('a[href^="#"]')) {
    link.onclick = (event) => {
      event.preventDefault();
      history.replaceState(null, "", link.hash);
      choose(link.hash.slice(1), true);
    };
  }
  for (const question of document.querySelectorAll(".question")) {
    judge(question);
    question.querySelector("details").ontoggle = veil;
  }
  for (const own of document.querySelectorAll(".step")) {
    const heading = own.querySelector("h4");
    const button = document.createElement("button");
    button.type = "button";
    button.title = "Show this step in the scene";
    button.append(...heading.childNodes);
    heading.append(button);
    button.onclick = () => {
      if (document.body.classList.contains("stale")) return;
      const again = own.classList.contains("shown");
      step = null;
      showStep(again ? null : own);
    };
  }
  const wanted = location.hash.slice(1);
  await choose(articles.has(wanted) ? wanted : "scene", articles.has(wanted));
}

/** Judge what is chosen, and show the answer. */
function judge(question) {
  const said = question.querySelector("[role=status]");
  const buttons = [...question.querySelectorAll(".choices button")];
  for (const button of buttons) {
    button.onclick = () => {
      const right = "right" in button.dataset;
      for (const other of buttons) other.classList.remove("right", "wrong");
      button.classList.add(right ? "right" : "wrong");
      said.textContent = right ? "Right." : "Not so: look at the answer.";
      question.querySelector("details").open = true;
    };
  }
}

lesson();
