// The pictures of a report: a click puts what was promised beside what is, both alive, in the place of the picture.

/** Show a figure live, until its reader wants the picture back. */
async function show(figure) {
  const { page: number, camera, aspect, time, pair, halves } = JSON.parse(figure.dataset.live);
  const box = Object.assign(document.createElement("div"), { className: "live" });
  const still = figure.querySelectorAll(":scope > img, :scope > button");
  const hide = (hidden) => still.forEach((element) => (element.hidden = hidden));
  const facts = await unpackedJson(document.getElementById(`${figure.dataset.sceneOf}-${number}`).textContent);
  const [expected, actual] = ["expected", "actual"].map((name) => figure.parentElement.querySelector(`tr.${name} td`).textContent);
  const parts = halves.map((half, k) => {
    const last = k === halves.length - 1;
    const [part, words, seen] = ["div", "p", "div"].map((tag) => document.createElement(tag));
    words.append(Object.assign(document.createElement("b"), { textContent: last ? "actual: " : "expected: " }), last ? actual : expected);
    seen.className = "seen";
    part.append(words, seen);
    return { part, seen, half, last };
  });
  box.append(...parts.map(({ part }) => part));
  hide(true);
  figure.append(box);
  const pages = (figure.pages = []); // where they can be tried in the browser's console
  const end = () => {
    for (const page of pages) page.close();
    box.remove();
    hide(false);
  };
  for (const { seen, half, last } of parts) {
    const page = await mount(seen, { ...facts, camera, aspect, shows: half.shows }, { few: true, bare: !last });
    if (!page) {
      figure.after(Object.assign(document.createElement("p"), { className: "about", textContent: seen.textContent }));
      return end();
    }
    pages.push(page);
    const moment = Math.max(page.doc.times.indexOf(time), 0);
    page.doc.go(moment);
    page.doc.change(half.rows);
    page.doc.past = [];
    if (pair.length === 2 && pair.every((element) => page.world.place.has(element))) page.pair = pair;
    page.redraw();
    if (last && time !== null && page.doc.times.length) tool(`worst moment: ${Number(time.toPrecision(6))} s`, () => page.doc.go(moment));
  }
  function tool(text, onclick) {
    const tools = box.querySelector(".tools") ?? box.appendChild(Object.assign(document.createElement("div"), { className: "tools" }));
    tools.append(Object.assign(document.createElement("button"), { type: "button", textContent: text, onclick }));
  }
  tool("back to the picture", end);
}

globalThis.ready(show);
