// A scene in a notebook: the page in the output of a cell. Python hears what hands do, one message at a time, and
// answers with all that was changed since it sent the scene; of what waits on either side, the latest counts.

async function render({ model, el }) {
  const place = document.createElement("div");
  place.style.cssText = `position: relative; overflow: hidden; height: ${model.get("_height")}px; background: white`;
  place.dataset.lmSuppressShortcuts = "true"; // JupyterLab's keys are not meant where one works on a scene
  el.append(place);
  const view = crypto.randomUUID?.() ?? String(Math.random());
  let [page, shown, opening, applying] = [null, "", false, false];
  let [number, waits, next, frame, answer] = [0, false, null, 0, null];

  const send = () => {
    if (waits || !next) return;
    model.set("_moved", { ...next, view, number: ++number });
    model.save_changes();
    [next, waits] = [null, true];
  };

  const onchange = ({ doc }, done) => {
    if (applying) return;
    const rows = [...doc.edits.keys()].map((element) => [element, doc.row(element, doc.atRest)]);
    next = { serial: page.facts.serial, rows, done };
    send();
  };

  /** Take what Python has made of the scene; what is in hand stays there, as long as Python has not heard of it. */
  const apply = () => {
    frame = 0;
    if (!page || answer.serial !== page.facts.serial) return;
    const { doc } = page;
    const stale = waits || next;
    if (stale && !doc.before) return; // what is shown is newer, and its answer comes
    const edits = new Map(answer.rows.map(([element, row, moment]) => [element, { row, moment }]));
    if (stale) for (const element of doc.held) edits.set(element, doc.edits.get(element));
    applying = true;
    doc.followed = doc.before ? edits : new Map();
    doc.take(edits);
    applying = false;
  };

  const hear = () => {
    answer = model.get("_answer");
    if (answer.view === view && answer.number === number) {
      waits = false;
      if (answer.said) page?.say(answer.said);
    }
    frame ||= requestAnimationFrame(apply);
    send();
  };

  const open = async () => {
    if (opening) return;
    opening = true;
    while (shown !== model.get("_facts")) {
      shown = model.get("_facts");
      const facts = await unpackedJson(shown);
      const before = page;
      page?.close();
      [next, waits] = [null, false];
      page = place.page = await mount(place, facts, { onchange }); // there it can be tried in the console
      if (!page) break;
      const names = (of) => JSON.stringify(of.facts.entries);
      if (before && names(before) === names(page)) page.look(page.view.with(before.view.camera)); // it is the same, moved
      if (model.get("_answer").serial === facts.serial) hear();
    }
    opening = false;
  };

  model.on("change:_facts", open);
  model.on("change:_answer", hear);
  await open();
  return () => {
    model.off("change:_facts", open);
    model.off("change:_answer", hear);
    page?.close();
  };
}

export default { render };
