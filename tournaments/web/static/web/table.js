// The recorder one plays on: moves are chosen on the board (tapping.js), and the rules in this browser answer at once.
// Every entry is kept on this device before anything else, sent when there is a network, and checked again by the server.
(() => {
  "use strict";
  const play = document.getElementById("play");
  if (!play || !window.Worker || !window.WebAssembly) return;
  const POLL = 4000; // milliseconds between two looks at what other devices recorded
  const PATIENCE = 15000; // milliseconds: an answer that takes longer is asked for again, and the keys keep it from counting twice
  const { account } = document.body.dataset;
  const words = play.dataset;
  const NAME = `table:${words.recording}:${account}`;

  // ---------------------------------------------------------------- what is kept on this device
  const load = () => JSON.parse(localStorage.getItem(NAME) || "null") || { document: null, unsent: [], aside: [] };
  let kept = load();
  const keep = () => localStorage.setItem(NAME, JSON.stringify(kept));
  const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

  // ---------------------------------------------------------------- what is shown
  const { part, notice, rules, alone, accept, redraw, load: loadRules, end, isBusy } = tapping(play, { entered, drawn });
  let over = false; // whether the game has ended
  const status = (text) => { part("status").textContent = text; };
  function tellStatus(network = navigator.onLine) {
    const sent = words.saved.replace("{n}", kept.document.n);
    const left = kept.unsent.length ? ` ${words.unsent.replace("{n}", kept.unsent.length)}` : "";
    const why = signedOut ? ` ${words.signedOut}` : network ? "" : ` ${words.offline}`;
    status(sent + left + why);
    play.toggleAttribute("data-waiting", Boolean(kept.unsent.length));
    part("hand-in").hidden = !over || Boolean(kept.unsent.length); // the log is what the server has
  }

  function entered(entry) {
    kept.unsent.push({ key: newKey(), entry });
    keep();
    tellStatus();
    send();
  }

  function drawn(view) {
    ({ over } = view);
    part("log").replaceChildren(...view.last.map((move) => {
      const line = moveLine(move);
      line.classList.toggle("is-unsent", move.n > kept.document.n);
      return line;
    }));
    keepWords(view);
    tellStatus();
  }

  // ---------------------------------------------------------------- what is put aside
  // An entry that no longer fits, or that the server refuses, stays on this device until somebody tries it again or discards it.
  let trying = false;

  // Keep the sentence of each entry that is not sent yet: the table does not know it any more once it is put aside.
  function keepWords(view) {
    kept.unsent.forEach((item, at) => {
      const line = view.last.find(({ n }) => n === kept.document.n + at + 1);
      if (line) item.words ??= `${line.by} ${line.words}`;
    });
    keep();
  }

  function putAside(items) {
    kept.aside.push(...items);
    keep();
    listAside();
  }

  function listAside() {
    part("aside").hidden = !kept.aside.length;
    part("aside-list").replaceChildren(...kept.aside.map(({ entry, words: said }, at) => {
      const line = part("aside-line").content.firstElementChild.cloneNode(true), sentence = line.querySelector("span");
      sentence.textContent = said || `${entry.by} ${entry.do}`;
      sentence.id = `play-aside-${at}`;
      for (const press of line.querySelectorAll("button")) press.setAttribute("aria-describedby", sentence.id);
      return line;
    }));
  }

  // Enter it as if it were tapped now. It stays in the list if the rules refuse it.
  async function tryAgain(item) {
    if (trying) return;
    trying = true;
    try {
      const { refused } = await accept(item.entry);
      if (refused) { notice(...refused); return; }
      discard(item);
      notice();
      await redraw();
    } finally {
      trying = false;
    }
  }

  function discard(item) {
    kept.aside = kept.aside.filter((other) => other !== item);
    keep();
    listAside();
    (part("aside-list").querySelector("button") || part("asked")).focus();
  }

  part("aside-list").addEventListener("click", ({ target }) => {
    const pressed = target.closest("button");
    if (!pressed) return;
    const item = kept.aside[[...part("aside-list").children].indexOf(pressed.closest("li"))];
    if ("discard" in pressed.dataset) discard(item); else tryAgain(item);
  });

  // ---------------------------------------------------------------- the server
  const token = () => document.querySelector("[name=csrfmiddlewaretoken]").value;
  const asked = (where, options) => fetch(where, { ...options, signal: AbortSignal.timeout(PATIENCE) });
  let sending = null; // {keys, done}: the keys that are on their way, and the promise of the answer
  let signedOut = false;

  // Send what is not sent yet, and go on until nothing is left. What fails is tried again: the keys keep it from counting twice.
  async function send() {
    if (sending || !kept.unsent.length) return;
    const batch = kept.unsent.slice(0, 100).map(({ key, entry }) => ({ key, entry }));
    sending = { keys: new Set(batch.map(({ key }) => key)) };
    sending.done = sendOnce(batch).catch(() => { tellStatus(false); return POLL; });
    const wait = await sending.done;
    sending = null;
    if (kept.unsent.length && !signedOut) setTimeout(send, wait);
  }

  // Send some entries and take in the answer; returns after how many milliseconds to send the rest.
  async function sendOnce(batch) {
    const answer = await asked(words.entries, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRFToken": token() },
      body: JSON.stringify({ after: kept.document.n, entries: batch }),
    });
    signedOut = answer.redirected || answer.status === 403;
    if (signedOut) { tellStatus(); return 0; }
    if (!answer.ok) throw new Error("later");
    const { n, keys, refused } = await answer.json();
    const taken = new Set(keys);
    kept.document.entries.push(...kept.unsent.filter(({ key }) => taken.has(key)).map(({ entry }) => entry));
    kept.document.keys.push(...keys);
    kept.document.n = n;
    kept.unsent = kept.unsent.filter(({ key }) => !taken.has(key));
    keep();
    tellStatus(true);
    for (const line of part("log").querySelectorAll(".is-unsent")) if (Number(line.firstChild.textContent) <= n) line.classList.remove("is-unsent");
    if (refused?.code === "sequence_moved") {
      if (!await look(true)) throw new Error("later");
    } else if (refused) {
      putAside(kept.unsent.splice(0));
      await alone(lay);
      notice(`${words.refused} ${[refused.message, ...refused.details.map(({ message }) => message || "")].join(" ")}`);
    }
    return 0;
  }

  // Look whether another device has recorded something; then what is not sent yet follows on it, as far as it still fits.
  // Returns whether the table was laid anew.
  async function look(always = false) {
    if (!always && (sending || isBusy())) return false;
    const answer = await asked(`${words.table}?n=${always ? "" : kept.document.n}`).catch(() => null);
    if (!answer || answer.status === 204 || !answer.ok || answer.redirected) return false;
    const fresh = await answer.json();
    if (!always && (sending || isBusy())) return false; // somebody is at it by now: look again later
    if (fresh.n <= kept.document.n && !fresh.closed && !always) return false;
    const known = new Set(fresh.keys), own = new Set(kept.unsent.map(({ key }) => key)), from = kept.document.n;
    let unsent = kept.unsent.filter(({ key }) => !known.has(key));
    const others = fresh.entries.slice(from).filter((_entry, at) => !own.has(fresh.keys[from + at]));
    const same = (one, two) => one.by === two.by && one.do === two.do && JSON.stringify(one.args || {}) === JSON.stringify(two.args || {});
    while (unsent.length && others.length && same(unsent[0].entry, others[0])) { // both recorded the same move
      unsent = unsent.slice(1);
      others.shift();
    }
    kept = { ...kept, document: fresh, unsent };
    keep();
    await alone(lay);
    if (fresh.closed) { status(words.closed); location.reload(); return true; }
    send();
    return true;
  }

  // Lay the table anew: what the server knows, then what it does not know yet. What no longer fits is put aside.
  async function lay() {
    await rules("open", JSON.stringify(kept.document));
    const fits = [], already = kept.aside.length;
    for (const [at, item] of kept.unsent.entries()) {
      const told = JSON.parse(await rules("accept", JSON.stringify(item.entry)));
      if (told.refused) {
        putAside(kept.unsent.slice(at));
        break;
      }
      fits.push(item);
    }
    kept.unsent = fits;
    keep();
    await redraw();
    tellStatus();
    if (kept.aside.length > already) notice(words.aside);
  }

  async function undo() {
    if (sending?.keys.has(kept.unsent.at(-1)?.key)) await sending.done;
    if (kept.unsent.length) {
      kept.unsent.pop();
      keep();
      await rules("undo");
      await redraw();
      tellStatus();
      return;
    }
    if (!kept.document.n) return;
    const fields = { command: "undo", n: kept.document.n + 1, key: newKey(), csrfmiddlewaretoken: token() };
    const answer = await fetch(location.pathname, { method: "POST", body: new URLSearchParams(fields) }).catch(() => null);
    if (!answer) { tellStatus(false); return; }
    await look(true);
    if (kept.document.undo_asked) notice(words.undoAsked);
  }

  // ---------------------------------------------------------------- gestures
  part("undo").addEventListener("click", undo);
  part("forms").addEventListener("click", (event) => {
    if (!kept.unsent.length) return;
    event.preventDefault(); // the forms know only what is sent
    notice(words.unsent.replace("{n}", kept.unsent.length));
  });
  addEventListener("online", () => { tellStatus(); send(); });
  addEventListener("offline", () => tellStatus());

  async function start() {
    const fresh = await fetch(words.table).then((answer) => (answer.ok && !answer.redirected ? answer.json() : null)).catch(() => null);
    if (!fresh && !kept.document) return;
    await loadRules();
    if (fresh) {
      const known = new Set(fresh.keys);
      kept = { ...kept, document: fresh, unsent: kept.unsent.filter(({ key }) => !known.has(key)) };
    }
    keep();
    listAside();
    await alone(lay);
    play.hidden = false;
    document.getElementById("recorder").hidden = true;
    document.body.classList.add("is-playing");
    document.dispatchEvent(new Event("board:drawn"));
    send();
    setInterval(look, POLL);
  }
  start().catch(end);
})();
