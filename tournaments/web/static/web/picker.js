// Makes the fields of a board quick on a phone: tallies get − and +, fields of cards a list that narrows as one types and
// of which a tap adds a card: those tapped last come first, the same one again is another copy, and a place for one card
// gives way to the next. What was entered stays in this tab. Without it every field is typed.
(() => {
  "use strict";
  const SHOWN = 12;
  const form = document.getElementById("asking");
  if (!form) return;

  function button(words, act, label) {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "button button--small";
    made.textContent = words;
    if (label) made.setAttribute("aria-label", label);
    made.addEventListener("click", act);
    return made;
  }

  // The draft: a lost connection, a page gone back to or a tab put to sleep costs no card. Photos and the move are not in it.
  const KEY = `board:${location.pathname}`;
  const LEFT_OUT = /^(csrfmiddlewaretoken|command|photos|remembered|by|do|arg:.*)$/;
  function keep() {
    const fields = [...form.elements].filter((field) => field.name && !LEFT_OUT.test(field.name));
    const said = fields.map((field) => [field.name, field.type === "checkbox" ? field.checked : field.value]);
    try { sessionStorage.setItem(KEY, JSON.stringify(said)); } catch { /* full or forbidden: it goes on without */ }
  }
  const draft = "draft" in form.dataset ? JSON.parse(sessionStorage.getItem(KEY) ?? "[]") : [];
  for (const [name, value] of draft) {
    const field = form.elements.namedItem(name);
    if (field?.type === "checkbox") field.checked = value;
    else if (field) field.value = value;
  }
  const fresh = document.getElementById("fresh");
  fresh.hidden = draft.length === 0;
  fresh.querySelector("button").addEventListener("click", () => { sessionStorage.removeItem(KEY); location.reload(); });
  form.addEventListener("input", keep);
  form.addEventListener("submit", (event) => {
    keep();
    const lost = document.getElementById("lost");
    lost.hidden = navigator.onLine;
    if (navigator.onLine) return;
    event.preventDefault();
    lost.focus();
  });

  for (const field of form.querySelectorAll("[data-tally]")) {
    const name = field.labels[0]?.textContent ?? "";
    const add = (by) => () => { field.value = Math.max(0, (parseInt(field.value, 10) || 0) + by); keep(); };
    const tally = document.createElement("span");
    tally.className = "tally";
    field.replaceWith(tally);
    tally.append(button("−", add(-1), `− ${name}`), field, button("+", add(1), `+ ${name}`));
  }

  const panel = document.createElement("div");
  panel.className = "picker";
  let open = null;

  const parts = (field) => field.dataset.cards === "row" ? field.value.split(",") : [field.value];

  const recent = [];
  const places = () => [...form.querySelectorAll("[data-cards]")].filter((place) => place.offsetParent);
  const after = (field) => places()[places().indexOf(field) + 1];
  const further = (field) => {
    const next = after(field);
    return field.dataset.cards === "one" && field.closest(".declared")?.contains(next) ? next : field;
  };

  function put(field, said) {
    if (said.length > 1) {
      if (recent.includes(said)) recent.splice(recent.indexOf(said), 1);
      recent.unshift(said);
    }
    const before = field.dataset.cards === "row" ? parts(field).slice(0, -1).map((part) => part.trim()) : [];
    field.value = [...before, said].join(", ") + (field.dataset.cards === "row" && said !== "-" ? ", " : "");
    keep();
    further(field).focus();
    show(further(field));
  }

  function show(field) {
    open = field;
    const wanted = folded(parts(field).at(-1));
    const found = [...document.getElementById(field.dataset.list)?.options ?? []].map((option) => option.value)
      .filter((name) => folded(name).includes(wanted));
    const tapped = [...recent.filter((name) => found.includes(name)), ...found.filter((name) => !recent.includes(name))];
    panel.replaceChildren(
      button("–", () => put(field, "-"), form.dataset.empty),
      button("?", () => put(field, "?"), form.dataset.hidden),
      ...tapped.slice(0, SHOWN).map((name) => button(name, () => put(field, name))),
      ...(after(field) ? [button("→", () => after(field).focus(), form.dataset.next)] : []),
    );
    field.closest(".field").append(panel);
    field.scrollIntoView({ block: "nearest" });
  }

  for (const field of form.querySelectorAll("[data-cards]")) {
    field.dataset.list ??= field.getAttribute("list");
    field.removeAttribute("list");
    field.addEventListener("focus", () => { if (open !== field || !panel.isConnected) show(field); });
    field.addEventListener("input", () => show(field));
  }
  form.addEventListener("submit", () => {
    for (const field of form.querySelectorAll('[data-cards="row"]')) field.value = field.value.replace(/,\s*$/, "");
  });
  form.elements.seat.addEventListener("change", () => { if (form.elements.seat.value) form.elements.by.value = form.elements.seat.value; });
  form.querySelector("[data-verb]")?.addEventListener("change", () => document.getElementById("choose").click());
})();
