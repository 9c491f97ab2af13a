// A lesson: its scene in the state that one chooses, predictions that are judged, and steps that follow the scene.
import { unpackedJson } from "./data.mjs";
import { marksOf } from "./marks.mjs";
import { mount } from "./page.mjs";
import { fill, marksAt, played } from "./steps.mjs";
import { ENDLESS } from "./world.mjs";

class LessonPage {
  constructor({ states, steps }) {
    document.body.classList.add("scripted");
    this.scenes = states;
    this.tapes = steps;
    this.view = document.getElementById("scene-view");
    this.note = document.getElementById("changed");
    this.links = [...document.querySelectorAll("#states a")];
    this.articles = new Map(this.links.map(({ hash }) => [hash.slice(1), document.getElementById(hash.slice(1))]));
    this.page = null;
    this.state = "";
    this.shown = null; // the step that is shown in the scene, as its element names it
    this.played = new Map(); // by question, the explanation of the scene as it is, where it was changed
    this.note.querySelector("button").onclick = () => this.choose(this.state);
    for (const link of document.querySelectorAll('a[href^="#"]')) {
      link.onclick = (event) => {
        event.preventDefault();
        history.replaceState(null, "", link.hash);
        this.choose(link.hash.slice(1), true);
      };
    }
    for (const question of document.querySelectorAll(".question")) {
      judge(question);
      question.querySelector("details").ontoggle = () => this.veil();
    }
    this.groups = [...document.querySelectorAll(".steps")].map((element) => ({ element, own: [...element.children], told: null }));
    document.querySelectorAll(".step").forEach((step) => this.enable(step));
  }

  /** Let the heading of a step show it in the scene. */
  enable(step) {
    const heading = step.querySelector("h4");
    const button = document.createElement("button");
    button.type = "button";
    button.title = "Show this step in the scene";
    button.append(...heading.childNodes);
    heading.append(button);
    button.onclick = () => this.show(this.shown === step.dataset.step ? null : step.dataset.step);
  }

  async choose(name, scroll = false) {
    this.state = name;
    this.shown = null;
    for (const [own, article] of this.articles) article.hidden = own !== name;
    for (const link of this.links) link.setAttribute("aria-current", String(link.hash === `#${name}`));
    this.page?.close();
    this.page = null;
    const page = await mount(this.view, this.scenes[name].facts, { few: true, onchange: () => this.follow() });
    if (this.state !== name) return page?.close(); // another one was chosen meanwhile
    this.page = globalThis.page = page; // to try things in the browser's console
    document.body.classList.toggle("alive", page !== null);
    for (const [own, article] of this.articles) article.dataset.alive = own === name && page ? "yes" : "no";
    if (page && !page.world.elements.some((element) => ENDLESS.includes(page.world.kind(element)))) page.fit();
    this.follow();
    if (scroll) this.articles.get(name).scrollIntoView({ block: "start" });
  }

  /** Tell the steps of the scene as it is; where they are those of the state, say so. */
  follow() {
    const { page } = this;
    const changed = page !== null && page.doc.edits.size > 0;
    let follows = true;
    this.played.clear();
    for (const group of this.groups) {
      const { element } = group;
      if (!this.articles.get(this.state).contains(element)) continue;
      const found = changed ? this.play(Number(element.dataset.ask)) : null;
      if (found) this.tell(group, found);
      else {
        if (group.told !== null) element.replaceChildren(...group.own);
        group.told = null;
      }
      element.classList.toggle("stale", changed && !found);
      if (changed && group.own.length) follows &&= Boolean(found) && !element.querySelector(".stale");
    }
    document.body.classList.toggle("changed", changed);
    const title = this.links.find(({ hash }) => hash === `#${this.state}`).textContent;
    const what = follows ? "The steps follow; answers are" : "Answers, and steps that are pale, are";
    this.note.hidden = !changed;
    this.note.querySelector("span").textContent = changed ? `You have changed the scene. ${what} those of \u201c${title}\u201d.` : "";
    this.show(this.shown);
  }

  /** Return the explanation of a question that is that of the scene as it is. */
  play(ask) {
    const [tape, known] = [this.tapes[ask], this.played];
    if (!tape) return null;
    if (!known.has(ask)) {
      const { world, doc } = this.page; // a motion is asked of the shapes at rest
      const row = (name) => doc.row(world.names.indexOf(name), doc.atRest);
      const found = played(tape, Object.fromEntries(tape.names.map((name) => [name, row(name)])), this.state);
      known.set(ask, found && { ...found, ...tape.told[found.number] });
    }
    return known.get(ask);
  }

  /** Tell the steps of an explanation in the place of others. */
  tell(group, { number, html, articles, exact, marks, at }) {
    const { element } = group;
    if (group.told !== number) {
      group.told = number;
      const wanted = { all: () => true, article: (k) => articles[k], kernel: (k) => !articles[k] }[element.dataset.kind];
      const steps = html.map((text, k) => ({ text, k })).filter(({ k }) => wanted(k));
      element.replaceChildren(
        ...steps.map(({ text, k }) => {
          const step = document.createElement("section");
          step.className = `step ${articles[k] ? "article" : "kernel"}${exact[k] ? "" : " stale"}`;
          step.dataset.step = `${element.dataset.ask}-${k + 1}`;
          step.innerHTML = text;
          if (marks[k].length) this.enable(step);
          return step;
        }),
      );
    }
    for (const step of element.children) if (!step.classList.contains("stale")) fill(step, at);
  }

  /** Show in the scene what a step speaks of. */
  show(name) {
    const step = name && this.articles.get(this.state).querySelector(`[data-step="${name}"]:has(button)`);
    const [ask, number] = step ? name.split("-").map(Number) : [];
    const found = this.played.get(ask);
    const stale = document.body.classList.contains("changed") && !found;
    this.shown = step && !stale ? name : null;
    for (const each of document.querySelectorAll(".step")) each.classList.toggle("shown", this.shown !== null && each === step);
    this.veil();
    if (!this.shown) this.page?.drawAlso({ marks: [], labels: [] });
    else this.page?.drawAlso(found ? marksAt(found.marks[number - 1], found.at) : marksOf(this.scenes[this.state].steps[name]));
  }

  /** Before an answer is seen or a shape is dragged, the scene tells no numbers. */
  veil() {
    const { open } = this.articles.get(this.state).querySelector(".question details");
    const { doc } = this.page ?? {};
    this.page?.veil(!open && !doc.past.length && !doc.before && !this.shown);
  }
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

async function openLesson() {
  const packed = document.getElementById("scenes");
  if (!packed) return; // the page that lists the lessons
  const lesson = new LessonPage(await unpackedJson(packed.textContent));
  const wanted = location.hash.slice(1);
  await lesson.choose(lesson.articles.has(wanted) ? wanted : "scene", lesson.articles.has(wanted));
}

openLesson();
