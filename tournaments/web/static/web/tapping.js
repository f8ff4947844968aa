// Choosing moves on a board: tap a card, tap where it goes, answer what chance did. The rules run in this browser
// (rules-worker.js) and answer at once. Used by the recorder (table.js) and for trying moves (trying.js).
//
// `play` is the element of `web/recorder/_play.html`. `entered(entry)` is called with each entry that the rules took, before
// anything is drawn; `drawn(view)` each time the board was drawn, with what `Table.view` gave.
"use strict";

function tapping(play, { entered, drawn }) {
  const FEW = 10; // moves that are offered as sentences while places can still be tapped
  const part = (name) => document.getElementById(`play-${name}`);
  const words = play.dataset;

  // ---------------------------------------------------------------- the rules
  const worker = new Worker(words.worker, { type: "module" });
  const waiting = new Map();
  let asked = 0;
  worker.addEventListener("message", ({ data: { id, answer, error } }) => {
    const { done, fail } = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) done(answer); else fail(new Error(error));
  });
  const rules = (call, ...args) => new Promise((done, fail) => {
    waiting.set(++asked, { done, fail });
    worker.postMessage({ id: asked, call, args });
    play.toggleAttribute("data-busy", true);
  }).finally(() => play.toggleAttribute("data-busy", waiting.size > 0));

  // Do one thing with the rules after another: a move is not made while the table is being laid anew.
  let turn = Promise.resolve();
  const alone = (work) => (turn = turn.then(work, work));

  // ---------------------------------------------------------------- what is shown
  let view = null; // as `Table.view` gives it
  let tapped = []; // what was tapped so far, each as the taps it can mean: a card is a place and a card
  let question = null; // {move, answers, asked, given} while chance is being told
  let ending = false; // whether the ways to end the game are offered
  let recent = []; // refs chosen from lists, newest first

  function notice(...lines) {
    part("notice").replaceChildren(...lines.map((text) => Object.assign(document.createElement("p"), { textContent: text, className: "notice notice--bad" })));
  }
  function button(text, press, { primary = false, by = "" } = {}) {
    const made = document.createElement("button");
    made.type = "button";
    made.className = `button button--small${primary ? " button--primary" : ""}`;
    if (by) made.append(Object.assign(document.createElement("strong"), { textContent: `${by} ` }));
    made.append(text);
    made.addEventListener("click", press);
    made.dataset.words = text;
    return made;
  }

  // Without what was tapped already; null if that is not part of the move.
  function rest(move) {
    const left = [...move.needed], paying = [...move.paying];
    for (const taps of tapped) {
      const at = left.findIndex((tap) => taps.includes(tap)), paid = paying.findIndex((tap) => taps.includes(tap));
      if (at >= 0) left.splice(at, 1);
      else if (paid >= 0) paying.splice(paid, 1);
      else return null;
    }
    return { move, left, paying };
  }

  const refOf = (tap) => tap.split("/").slice(1).join("/");

  // What a tap means on the board, the cards of a hand first. What lies in a closed pile cannot be tapped there.
  function elements(tap) {
    const board = part("board"), where = CSS.escape(tap.slice(1));
    const found = tap[0] === "@"
      ? [...board.querySelectorAll(`[data-place="${where}"], [data-zone="${where}"]`)].slice(0, 1)
      : [...board.querySelectorAll(`[data-ref="${CSS.escape(refOf(tap))}"]`)].filter((card) => card.dataset.place.startsWith(`${tap[1]}/`));
    return found.filter((card) => card.checkVisibility()).sort((one) => (one.dataset.place?.includes("/hand/") ? -1 : 1));
  }

  // The name of a card that is not on the table, or lies in a closed pile.
  function nameOf(tap) {
    const card = tap[0] === "@" && part("board").querySelector(`[data-place="${CSS.escape(tap.slice(1))}"] .tile__name`);
    return card ? card.textContent : view.picks[refOf(tap)] || words.unseen;
  }

  function show() {
    part("board").innerHTML = view.board;
    document.dispatchEvent(new Event("board:drawn"));
    drawn(view);
    choose();
  }

  function choose() {
    for (const lit of part("board").querySelectorAll(".is-lit, .is-tapped")) {
      delete lit.dataset.tap;
      lit.classList.remove("is-lit", "is-tapped");
      lit.removeAttribute("role");
      lit.removeAttribute("tabindex");
    }
    play.toggleAttribute("data-settled", Boolean(question) || !tapped.length);
    play.toggleAttribute("data-asking", Boolean(question));
    part("clear").hidden = !tapped.length && !question && !ending;
    part("end")?.setAttribute("aria-expanded", String(ending));
    if (question) return ask();
    if (ending) return offer(view.endings.map((move) => ({ move })));
    const open = view.moves.map(rest).filter(Boolean);
    const lit = new Set(open.flatMap(({ left, paying }) => (left.length ? left : paying)));
    const unseen = [];
    for (const taps of tapped) for (const card of elements(taps[0]).slice(0, 1)) card.classList.add("is-tapped");
    for (const tap of lit) {
      const found = elements(tap).filter((card) => !card.classList.contains("is-tapped"));
      if (!elements(tap).length) unseen.push(tap);
      for (const card of found) {
        card.classList.add("is-lit");
        card.setAttribute("role", "button");
        card.tabIndex = 0;
        card.dataset.tap = card.dataset.tap ? `${card.dataset.tap} ${tap}` : tap;
      }
    }
    bringIntoSight([...part("board").querySelectorAll(".is-lit")]);
    const ready = open.filter(({ left }) => !left.length);
    if (tapped.length > 1 && open.length === 1 && ready.length === 1) return make(ready[0].move);
    offer(open.length <= FEW && tapped.length ? [...ready, ...open.filter(({ left }) => left.length)] : ready, unseen);
  }

  // Scroll a board that is higher than the screen, unless something that lights up is in sight already.
  function bringIntoSight(lit) {
    const frame = part("board").getBoundingClientRect();
    const inSight = (card) => { const box = card.getBoundingClientRect(); return box.top >= frame.top && box.bottom <= frame.bottom; };
    if (!lit.some(inSight)) lit.find((card) => card.dataset.ref || card.dataset.place)?.scrollIntoView({ block: "nearest" });
  }

  function offer(moves, unseen = []) {
    const hint = moves.length || unseen.length ? "" : view.moves.length ? words.tap : words.none;
    part("asked").textContent = view.over ? words.over : [hint, view.more ? words.more : ""].filter(Boolean).join(" ");
    const several = new Set(view.moves.map(({ entry }) => entry.by)).size > 1;
    const made = moves.map(({ move, left }, index) => button(move.words, () => make(move), {
      primary: index === 0 && !left?.length, by: several || ending ? move.by : "",
    }));
    const cards = unseen.map((tap) => ({ value: tap, words: nameOf(tap) }));
    part("choices").replaceChildren(...made, ...picker(cards, (tap) => press([tap])));
  }

  // Buttons for cards, those chosen last first, with a field that narrows them if there are many.
  function picker(options, chosen) {
    if (!options.length) return [];
    const place = (value) => { const at = recent.indexOf(String(value).split("/").pop()); return at < 0 ? Infinity : at; };
    const sorted = [...options].sort((one, two) => place(one.value) - place(two.value) || folded(one.words).localeCompare(folded(two.words)));
    const buttons = sorted.map(({ value, words: text }) => {
      const made = button(text, () => {
        const ref = String(value).split("/").pop();
        if (ref !== "?") recent = [ref, ...recent.filter((known) => known !== ref)].slice(0, 30);
        chosen(value);
      });
      made.dataset.pick = String(value);
      made.classList.add("play__pick");
      return made;
    });
    if (sorted.length <= 8) return buttons;
    const field = Object.assign(document.createElement("input"), { className: "input", type: "search", placeholder: words.filter, autocomplete: "off" });
    field.setAttribute("aria-label", words.filter);
    field.addEventListener("input", () => {
      const wanted = folded(field.value);
      sorted.forEach(({ words: text }, index) => { buttons[index].hidden = !folded(text).split(/[\s'’-]+/).some((word) => word.startsWith(wanted)) && !folded(text).startsWith(wanted); });
    });
    return [field, ...buttons];
  }

  function press(taps) {
    notice();
    tapped.push(taps);
    choose();
  }

  // ---------------------------------------------------------------- chance, as people tell it
  async function make(move) {
    question = { move: move.entry, answers: [] };
    await next();
  }

  async function next() {
    const told = JSON.parse(await rules("complete", JSON.stringify(question.move), JSON.stringify(question.answers)));
    if (told.entry) return enter(told.entry);
    if (told.refused) return stop(told.refused);
    question = { ...question, asked: told.question, given: [] };
    choose();
  }

  function ask() {
    const { asked: about, given } = question;
    if (!about) return part("choices").replaceChildren();
    const which = about.count > 1 ? ` ${given.length + 1}/${about.count}` : "";
    part("asked").textContent = (words[about.kind] || words.choose) + which;
    const left = (value) => (about.copies ? about.copies[value] - given.filter((one) => one === value).length : given.includes(value) ? 0 : 1);
    const tell = (value) => {
      given.push(value);
      if (given.length < about.count) return choose();
      question.answers.push(given);
      return next();
    };
    const hidden = about.unseen ? [button(about.count > 1 && !given.length ? words.allUnseen : words.unseen, () => {
      const many = given.length ? 1 : about.count;
      for (let n = 1; n < many; n += 1) given.push("?");
      tell("?");
    }, { primary: true })] : [];
    part("choices").replaceChildren(...hidden, ...picker(about.options.filter(({ value }) => left(value) > 0), tell));
  }

  function stop(reasons = []) {
    question = null;
    tapped = [];
    ending = false;
    notice(...reasons);
    choose();
  }

  async function enter(entry) {
    const { refused } = await accept(entry);
    if (refused) return stop(refused);
    await redraw();
  }

  const accept = (entry) => alone(async () => {
    const told = JSON.parse(await rules("accept", JSON.stringify(entry)));
    if (!told.refused) entered(entry);
    return told;
  });

  // Draw the table as the rules have it now, with nothing tapped.
  async function redraw() {
    view = JSON.parse(await rules("view"));
    question = null;
    tapped = [];
    ending = false;
    show();
  }

  // ---------------------------------------------------------------- gestures
  part("board").addEventListener("click", (event) => {
    const card = event.target.closest(".is-lit");
    if (!card) {
      if (event.target.closest("[data-ref]") && !question && !ending) part("asked").textContent = words.unlit;
      return;
    }
    event.preventDefault();
    press(card.dataset.tap.split(" "));
  });
  part("board").addEventListener("keydown", (event) => {
    if (!["Enter", " "].includes(event.key) || !event.target.classList.contains("is-lit")) return;
    event.preventDefault();
    press(event.target.dataset.tap.split(" "));
  });
  part("clear").addEventListener("click", () => stop());
  part("end")?.addEventListener("click", () => { ending = !ending; tapped = []; question = null; choose(); });

  return {
    part,
    notice,
    rules,
    alone,
    accept,
    redraw,
    load: () => rules("start", new URL(words.base, location.href).href, new URL(words.zip, location.href).href),
    end: () => worker.terminate(),
    isBusy: () => Boolean(question || tapped.length), // somebody is at it
  };
}

// A line of a list of moves: its number, who made it, and what.
function moveLine({ n, by, words }) {
  const line = Object.assign(document.createElement("li"), { className: "log-item" });
  const number = Object.assign(document.createElement("span"), { className: "num muted", textContent: `${n} ` });
  line.append(number, Object.assign(document.createElement("strong"), { textContent: `${by} ` }), words);
  return line;
}
