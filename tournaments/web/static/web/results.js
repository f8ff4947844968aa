// The results desk by keyboard alone: a table or a name, Enter, one key. The field is free at once for the next entry;
// entries are sent one after the other, in the order typed: of two for a table the first one counts and the second
// differs. Without this file the same form goes the long way.
(() => {
  "use strict";
  const field = document.getElementById("find");
  const slip = document.getElementById("slip");
  const said = document.getElementById("said");
  if (!field || !slip) return;
  const part = (root, name) => root.querySelector(`[data-part="${name}"]`);
  const keys = new Map([...slip.querySelectorAll("button[name=outcome]")].map((button) => [button.value, button.textContent.trim()]));
  const AGAIN = 3000;
  let chosen = null;
  let last = null; // the address that undoes the last entry

  const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();
  const tables = () => [...document.querySelectorAll("[data-slip-address]")];
  const namesOf = (table) => [...table.querySelectorAll("[data-name]")].map((name) => name.textContent);
  const found = (wanted) => {
    if (/^\d+$/.test(wanted)) return tables().filter((table) => Number(table.dataset.table) === Number(wanted));
    const words = folded(wanted).split(/\s+/);
    return tables().filter((table) => namesOf(table).some((name) => words.every((word) => folded(name).includes(word))));
  };
  const tell = (text) => { said.textContent = text; };

  // ------------------------------------------------------------------ choosing a table
  const leave = () => {
    chosen = null;
    slip.hidden = true;
    field.value = "";
    field.focus();
  };

  const choose = (table) => {
    const names = namesOf(table);
    if (table.dataset.seats !== "2" || "own" in table.dataset || keys.size === 0) {
      location.search = `?find=${table.dataset.table}`;
      return;
    }
    chosen = table.dataset.slipAddress;
    slip.hidden = false;
    slip.action = chosen;
    slip.querySelector("[data-slip=table]").textContent = table.dataset.table;
    slip.querySelector("[data-slip=now]").textContent = table.dataset.now;
    slip.querySelectorAll("[data-slip=name]").forEach((element, place) => { element.textContent = names[place]; });
    for (const box of slip.querySelectorAll("[name=drop]")) box.checked = false;
    field.value = "";
    tell(`${table.dataset.table}: ${names.join(" – ")}. ${table.dataset.now}`);
  };

  document.getElementById("find-form").addEventListener("submit", (event) => {
    const wanted = field.value.trim();
    const hits = wanted ? found(wanted) : [];
    if (hits.length !== 1) {
      if (!wanted) event.preventDefault();
      return; // none or several: the server's page lists them
    }
    event.preventDefault();
    choose(hits[0]);
  });

  // ------------------------------------------------------------------ sending
  let before = Promise.resolve(); // the answer to what was sent last
  const post = (address, data) => (before = before.then(() => sent(address, data)));

  const sent = async (address, data) => {
    data.set("csrfmiddlewaretoken", slip.querySelector("[name=csrfmiddlewaretoken]").value);
    for (;;) {
      try {
        const answer = await fetch(address, { method: "POST", body: data, headers: { Accept: "application/json" } });
        if (answer.redirected || !answer.headers.get("Content-Type")?.startsWith("application/json")) {
          return { state: "refused", table: "", message: `${answer.status}` };
        }
        return await answer.json();
      } catch {
        tell(document.getElementById("columns").dataset.lost);
        await new Promise((done) => window.setTimeout(done, AGAIN));
      }
    }
  };

  const attend = (kind, answer) => {
    const item = document.getElementById(kind).content.cloneNode(true).firstElementChild;
    part(item, "table").textContent = answer.table;
    for (const name of ["old", "new", "message"]) {
      const element = part(item, name);
      if (element) element.textContent = answer[name] ?? "";
    }
    part(item, "leave").addEventListener("click", () => { item.remove(); field.focus(); });
    document.getElementById("attention").append(item);
    tell(`${answer.table}: ${answer.message}`);
    return item;
  };

  const enter = async (address, data) => {
    const answer = await post(address, data);
    if (answer.state === "differs") {
      const form = attend("differs", answer).querySelector("form");
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        data.set("reason", form.elements.reason.value);
        form.parentElement.remove();
        field.focus();
        enter(address, data);
      });
    } else if (answer.state === "refused") {
      attend("refused", answer);
    } else {
      tell(answer.said);
      if (answer.state === "entered") note(answer);
    }
  };

  const note = (answer) => {
    const item = document.getElementById("entered").content.cloneNode(true).firstElementChild;
    part(item, "said").textContent = answer.said;
    const undo = async () => {
      item.remove();
      last = null;
      field.focus();
      const undone = await post(answer.undo, new FormData());
      if (undone.state === "undone") tell(undone.said);
      else attend("refused", undone);
    };
    part(item, "undo").addEventListener("click", undo);
    last = undo;
    const entries = document.getElementById("entries");
    entries.prepend(item);
    while (entries.children.length > 5) entries.lastElementChild.remove();
  };

  const send = (outcome) => {
    const data = new FormData();
    data.set("outcome", outcome);
    for (const box of slip.querySelectorAll("[name=drop]:checked")) data.append("drop", box.value);
    const address = chosen;
    leave();
    enter(address, data);
  };

  slip.addEventListener("submit", (event) => {
    const outcome = event.submitter?.value;
    if (!chosen || !outcome) return;
    event.preventDefault();
    send(outcome);
  });

  field.addEventListener("keydown", (event) => {
    if (event.key === "z" && (event.ctrlKey || event.metaKey) && !field.value && last) {
      event.preventDefault();
      last();
      return;
    }
    if (!chosen || event.ctrlKey || event.metaKey || event.altKey) return;
    const box = { "/": 0, "*": 1 }[event.key];
    if (event.key === "Escape") leave();
    else if (box !== undefined) slip.querySelectorAll("[name=drop]")[box].click();
    else if (keys.has(event.key.toLowerCase())) send(event.key.toLowerCase());
    else if (event.key.length > 1) return;
    event.preventDefault();
  });
  if (!slip.hidden) {
    const table = document.querySelector(`[data-slip-address="${slip.getAttribute("action")}"]`);
    if (table && table.dataset.seats === "2" && !("own" in table.dataset)) choose(table);
  }
  field.focus();
})();
