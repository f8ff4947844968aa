// Tries moves on the board of a position: a link with `data-try` opens it in a dialog, and without scripts leads elsewhere.
// The attribute is the address of the position (JSON for `boards.table.Table`), or "#id" of an element that contains it.
// Nothing is stored, unless the judge keeps the line as a branch of the log.
(() => {
  "use strict";
  const dialog = document.getElementById("trying"), play = document.getElementById("play");
  if (!dialog || !play || !window.Worker || !window.WebAssembly) return;
  const words = play.dataset;
  const { part, rules, redraw, load, notice } = tapping(play, { entered: (entry) => tried.push(entry), drawn });
  const keep = part("keep"); // the form that keeps what was tried; only a log has one
  let loading = null; // the promise of the rules
  let from = 0; // the number of the last entry before what is tried
  let recorded = 0; // how many entries the log has
  let tried = []; // entries
  let opening = 0; // counts the openings: an answer that arrives late is not for the board that is open by then

  const status = (text) => { part("status").textContent = text; };

  function drawn(view) {
    part("log").replaceChildren(...view.last.slice(0, tried.length).map(moveLine));
    part("undo").hidden = !tried.length;
    if (!keep) return;
    part("line").hidden = !tried.length;
    part("insert").hidden = tried.length !== 1 || from >= recorded;
    part("replace").hidden = part("insert").hidden;
  }

  async function positionAt(where) {
    if (where.startsWith("#")) return document.querySelector(where).textContent;
    const answer = await fetch(where, { headers: { Accept: "application/json" } });
    if (!answer.ok || answer.redirected) throw new Error(answer.status);
    return answer.text();
  }

  async function open({ try: where, recorded: last = "0" }) {
    dialog.showModal();
    document.body.classList.add("is-playing");
    part("board").replaceChildren();
    part("choices").replaceChildren();
    part("asked").textContent = "";
    notice();
    status(words.loading);
    const mine = ++opening;
    tried = [];
    drawn({ last: [] });
    recorded = Number(last);
    loading ??= load().catch((error) => { loading = null; throw error; });
    let laid = false;
    try {
      const [position] = await Promise.all([positionAt(where), loading]);
      if (mine !== opening) return;
      from = JSON.parse(position).n;
      laid = true;
      await rules("open", position);
      await redraw();
    } catch {
      if (mine !== opening) return;
      status("");
      notice(laid ? words.unreadable : words.failed);
      return;
    }
    if (keep) {
      part("forms").href = keep.dataset.correct.replace(/0\/what-if\/$/, `${from}/what-if/`);
      for (const name of ["replace", "insert"]) part(name).textContent = part(name).dataset.words.replace("{n}", from + 1);
    }
    status(words.nothing);
    part("title").focus();
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-try]");
    if (!link || event.button || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(link.dataset);
  });
  dialog.addEventListener("close", () => document.body.classList.remove("is-playing"));
  part("leave").addEventListener("click", () => dialog.close());
  part("undo").addEventListener("click", async () => {
    if (!tried.pop()) return; // at once: pressed twice, it takes back two
    await rules("undo");
    await redraw();
  });
  keep?.addEventListener("submit", ({ submitter }) => {
    const correction = submitter.id.replace("play-", ""), [entry] = tried;
    keep.elements.line.value = JSON.stringify({ entries: tried });
    keep.elements.entry.value = JSON.stringify(entry);
    keep.elements.correction.value = correction;
    const n = correction === "replace" ? from + 1 : from;
    keep.action = correction === "line"
      ? keep.dataset.line.replace(/0\/line\/$/, `${n}/line/`)
      : keep.dataset.correct.replace(/0\/what-if\/$/, `${n}/what-if/`);
  });
})();
