// The score pad: tallies and turns live on this device until the pad is handed in. What a lost connection did not take is
// sent again; the server keeps the same pad once.
(() => {
  "use strict";
  const PAUSE = 5000; // milliseconds between two tries
  const pad = document.getElementById("pad");
  if (!pad) return;
  const name = `pad:${pad.dataset.pad}`;
  const form = document.getElementById("hand-in");
  const fresh = () => ({ values: {}, turns: [], began: Date.now(), sending: "" });
  let state = JSON.parse(localStorage.getItem(name) || "null") || fresh();
  const keep = () => localStorage.setItem(name, JSON.stringify(state));

  function line(words, turn, number) {
    const item = document.createElement("li");
    const noted = Object.entries(turn.claims).map(([fact, value]) => `${fact} ${value}`).join(" · ");
    item.textContent = `${words.turn} ${number} · ${turn.by} · ${noted} · ${turn.seconds} ${words.seconds}`;
    return item;
  }

  function show() {
    for (const tally of pad.querySelectorAll("[data-fact]")) {
      tally.querySelector("output").textContent = state.values[tally.dataset.fact] ?? 0;
    }
    document.getElementById("turns").replaceChildren(
      ...state.turns.map((turn, index) => line(pad.dataset, turn, index + 1)).reverse(),
    );
    const all = state.turns.reduce((sum, turn) => sum + turn.seconds, 0);
    document.getElementById("pace").textContent =
      state.turns.length ? `${Math.round(all / state.turns.length)} ${pad.dataset.mean}` : "";
    for (const button of pad.querySelectorAll("button")) button.disabled = Boolean(state.sending);
    keep();
  }

  function tell(lost) {
    const words = document.getElementById("unsent");
    words.hidden = !lost;
    words.textContent = lost ? words.dataset.words : "";
  }

  async function send() {
    try {
      const body = new FormData(form);
      body.set("turns", state.sending);
      const response = await fetch(location.pathname, { method: "POST", body });
      if (response.status >= 500) throw new Error("server");
      const taken = response.redirected && new URL(response.url).pathname.startsWith("/logs/");
      state.sending = "";
      if (taken) localStorage.removeItem(name);
      else keep(); // refused, or signed out meanwhile: nothing is lost
      location.assign(response.url);
    } catch {
      tell(true);
      setTimeout(send, PAUSE);
    }
  }

  pad.addEventListener("click", (event) => {
    const { by, ends } = event.target.dataset;
    if (by) {
      const fact = event.target.closest("[data-fact]").dataset.fact;
      state.values[fact] = Math.max(0, (state.values[fact] ?? 0) + Number(by));
    } else if (ends) {
      const claims = Object.fromEntries(
        [...pad.querySelectorAll("[data-fact]")].map((tally) => [tally.dataset.fact, state.values[tally.dataset.fact] ?? 0]),
      );
      state.turns.push({ by: ends, claims, seconds: Math.min(36000, Math.round((Date.now() - state.began) / 1000)) });
      state.began = Date.now();
    } else if (event.target.id === "back") {
      const turn = state.turns.pop();
      if (turn) state.values = { ...turn.claims };
    } else return;
    show();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (state.sending || !state.turns.length) return;
    state.sending = JSON.stringify(state.turns);
    show();
    send();
  });
  pad.hidden = false;
  show();
  if (state.sending) send();
})();
