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
  const DROPS = ["/", "*", "-", "+", "."]; // by seat, as on a numeric keypad
  const miss = document.getElementById("miss");
  const ranks = slip.querySelector("#ranks"); // at tables of several: a digit a player instead of a key
  let chosen = null;
  let players = 2;
  let last = null; // the address that undoes the last entry

  const tables = () => [...document.querySelectorAll("[data-slip-address]")];
  const namesOf = (table) => [...table.querySelectorAll("[data-name]")].map((name) => name.textContent);
  const found = (wanted) => {
    if (/^\d+$/.test(wanted)) return tables().filter((table) => Number(table.dataset.table) === Number(wanted));
    const words = folded(wanted).split(/\s+/);
    return tables().filter((table) => namesOf(table).some((name) => words.every((word) => folded(name).includes(word))));
  };
  const tell = (text) => { said.textContent = text; };
  const words = (element, name, values) => element.dataset[name].replace(/\{(\w+)\}/g, (_all, key) => values[key]);

  // ------------------------------------------------------------------ choosing a table
  const clear = () => {
    field.value = "";
    miss.hidden = true;
    field.focus();
  };
  const leave = () => {
    chosen = null;
    slip.hidden = true;
    if (ranks) ranks.value = "";
    clear();
    askForReason();
  };
  // What differs waits for its reason: the focus goes there, but never away from somebody in the middle of a table.
  const askForReason = () => {
    if (chosen || field.value) return;
    attention.querySelector("input[name=reason]")?.focus();
  };

  const choose = (table) => {
    const names = namesOf(table);
    const ranked = "ranked" in table.dataset;
    if ("own" in table.dataset || (ranked ? !ranks : keys.size === 0)) {
      location.search = `?find=${table.dataset.table}`;
      return;
    }
    chosen = table.dataset.slipAddress;
    slip.hidden = false;
    slip.action = chosen;
    slip.querySelector("[data-slip=table]").textContent = table.dataset.table;
    slip.querySelector("[data-slip=now]").textContent = table.dataset.now;
    players = names.length;
    slip.querySelectorAll("[data-slip=name]").forEach((element, place) => {
      element.textContent = names[place] ?? "";
      element.parentElement.hidden = place >= players;
    });
    for (const box of slip.querySelectorAll("[name=drop]")) box.checked = false;
    field.value = "";
    miss.hidden = true;
    if (ranked) {
      slip.querySelector("[data-slip=whole]").href = chosen.replace(/slip\/$/, "");
      ranks.value = "";
      ranks.focus();
    }
    tell(`${table.dataset.table}: ${names.join(" – ")}. ${table.dataset.now}`);
  };

  // A wrong number is selected: the next one typed replaces it.
  const missed = (wanted) => {
    miss.textContent = miss.dataset.words.replace("{find}", wanted);
    miss.hidden = false;
    field.select();
  };

  document.getElementById("find-form").addEventListener("submit", (event) => {
    const wanted = field.value.trim();
    const hits = wanted ? found(wanted) : [];
    if (hits.length > 1) return; // the server's page lists them
    event.preventDefault();
    if (hits.length === 1) choose(hits[0]);
    else if (wanted) missed(wanted);
  });

  // ------------------------------------------------------------------ changed tables
  // The columns ask for what has changed since they were read. Where the answer is single tables, each is put in its
  // column; where it is the whole page, htmx replaces all columns.
  const isColumns = (element) => element.id === "columns";
  document.addEventListener("htmx:configRequest", ({ detail: { elt, parameters } }) => {
    if (isColumns(elt)) parameters.since = elt.dataset.since;
  });
  document.addEventListener("htmx:beforeSwap", ({ detail: { requestConfig, xhr } }) => {
    if (!isColumns(requestConfig.elt) || xhr.getResponseHeader("HX-Reswap") !== "none") return;
    const answer = document.createElement("template");
    answer.innerHTML = xhr.responseText;
    const changed = answer.content.querySelector("[data-since]");
    if (changed) place(changed);
  });

  const place = (changed) => {
    const columns = document.getElementById("columns");
    for (const table of changed.querySelectorAll("[data-slip-address]")) {
      const old = columns.querySelector(`[data-slip-address="${table.dataset.slipAddress}"]`);
      const focused = old?.contains(document.activeElement);
      old?.remove();
      const list = columns.querySelector(`[data-column="${table.closest("[data-column]").dataset.column}"] ul`);
      const after = [...list.children].find((other) => Number(other.dataset.table) > Number(table.dataset.table));
      list.insertBefore(table, after ?? null);
      if (focused) table.querySelector("a").focus({ preventScroll: true });
    }
    for (const column of columns.querySelectorAll("[data-column]")) {
      column.querySelector("h2 .badge").textContent = column.querySelectorAll("li").length;
    }
    columns.dataset.since = changed.dataset.since;
  };

  // ------------------------------------------------------------------ sending
  let before = Promise.resolve(); // the answer to what was sent last
  const post = (address, data, table) => {
    unsent.push(table);
    showUnsent();
    before = before.then(() => sent(address, data)).finally(() => {
      unsent.shift();
      showUnsent();
    });
    return before;
  };

  // Without network, the tables whose slips wait are listed, and leaving the page is asked about: they would be lost.
  const unsent = []; // the tables of all that was not answered yet, in the order typed
  let lost = false;
  const waiting = document.getElementById("waiting");
  const showUnsent = () => {
    waiting.hidden = !lost || !unsent.length;
    const values = { count: unsent.length, tables: unsent.join(", ") };
    const text = waiting.hidden ? "" : words(waiting, unsent.length === 1 ? "one" : "many", values);
    if (waiting.textContent !== text) waiting.textContent = text;
  };
  window.addEventListener("beforeunload", (event) => { if (unsent.length) event.preventDefault(); });

  const sent = async (address, data) => {
    data.set("csrfmiddlewaretoken", slip.querySelector("[name=csrfmiddlewaretoken]").value);
    for (;;) {
      try {
        const answer = await fetch(address, { method: "POST", body: data, headers: { Accept: "application/json" } });
        lost = false;
        if (answer.redirected || !answer.headers.get("Content-Type")?.startsWith("application/json")) {
          return { state: "refused", table: "", message: `${answer.status}` };
        }
        return await answer.json();
      } catch {
        // Said once, so that it does not talk over what is typed meanwhile.
        if (!lost) tell(document.getElementById("columns").dataset.lost);
        lost = true;
        showUnsent();
        await new Promise((done) => window.setTimeout(done, AGAIN));
      }
    }
  };

  const attention = document.getElementById("attention");
  const attend = (item, answer) => {
    part(item, "leave").addEventListener("click", (event) => {
      event.preventDefault();
      item.remove();
      field.focus();
    });
    attention.append(item);
    tell(`${answer.table}: ${answer.message}`);
  };

  const refused = (answer) => {
    const item = document.getElementById("refused").content.cloneNode(true).firstElementChild;
    for (const name of ["table", "message"]) part(item, name).textContent = answer[name];
    attend(item, answer);
  };

  // Another result is in the way: the server's fragment shows both, and its form sends the new one with a reason.
  const conflicts = (answer) => {
    const item = document.createElement("li");
    item.innerHTML = answer.html;
    const form = item.querySelector("form");
    form.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      item.remove();
      field.focus();
    });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      item.remove();
      field.focus();
      enter(form.action, new FormData(form), answer.table);
    });
    attend(item, answer);
    askForReason();
  };

  const enter = async (address, data, table) => {
    const answer = await post(address, data, table);
    if (answer.state === "differs") conflicts(answer);
    else if (answer.state === "refused") refused(answer);
    else {
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
      const undone = await post(answer.undo, new FormData(), answer.table);
      if (undone.state === "undone") tell(undone.said);
      else refused(undone);
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
    const table = slip.querySelector("[data-slip=table]").textContent;
    leave();
    enter(address, data, table);
  };

  slip.addEventListener("submit", (event) => {
    const outcome = event.submitter?.value;
    if (!chosen || !outcome) return;
    event.preventDefault();
    send(outcome);
  });
  slip.addEventListener("submit", (event) => {
    if (!chosen || !ranks) return;
    event.preventDefault();
    if (isWhole(typedRanks())) send(typedRanks());
  });

  // ------------------------------------------------------------------ keys
  // A team match takes a digit a board instead, or the letter of a match that was not played.
  const boards = Number(ranks?.dataset.boards ?? 0);
  const typedRanks = () => ranks.value.toLowerCase().replace(boards ? /[^0-9a-z]/g : /\D/g, "");
  const isWhole = (typed) => (boards ? typed.length === boards || /^[a-z]$/.test(typed) : typed.length === players);
  const dropped = (key) => {
    const place = DROPS.indexOf(key);
    const box = place < 0 || place >= players ? null : slip.querySelectorAll("[name=drop]")[place];
    box?.click();
    return box !== null;
  };
  // What is ticked is read back: the eyes are on the next slip.
  slip.addEventListener("change", ({ target }) => {
    if (target.name !== "drop") return;
    const name = target.closest("li").querySelector("[data-slip=name]").textContent;
    tell(words(slip, target.checked ? "drops" : "stays", { name }));
  });
  // A key that means nothing here is refused aloud and in sight; the slip stays open.
  const meaningless = (key) => {
    if (key.length > 1) return false; // arrows, Tab and the like
    const text = words(slip, "nothing", { key, table: slip.querySelector("[data-slip=table]").textContent });
    miss.hidden = false;
    miss.textContent = ""; // so that the same sentence is said again
    miss.textContent = text;
    return true;
  };
  const boardKeys = ranks?.dataset.keys ?? "";
  const isRankKey = (key) => key === " " || (boards ? boardKeys.includes(key.toLowerCase()) : /[1-9]/.test(key) && Number(key) <= players);
  ranks?.addEventListener("input", () => { if (chosen && isWhole(typedRanks())) send(typedRanks()); });
  ranks?.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && chosen) leave();
    else if (event.ctrlKey || event.metaKey || event.altKey) return;
    else if (dropped(event.key)) { /* ticked */ }
    else if (!chosen || isRankKey(event.key) || !meaningless(event.key)) return;
    event.preventDefault();
  });

  field.addEventListener("keydown", (event) => {
    if (event.key === "z" && (event.ctrlKey || event.metaKey) && !field.value && last) {
      event.preventDefault();
      last();
      return;
    }
    if (!chosen && event.key === "Escape") {
      event.preventDefault();
      clear();
      return;
    }
    if (!chosen || ranks || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") leave();
    else if (dropped(event.key)) { /* ticked */ }
    else if (keys.has(event.key.toLowerCase())) send(event.key.toLowerCase());
    else if (!meaningless(event.key)) return;
    event.preventDefault();
  });
  if (!slip.hidden) {
    const table = document.querySelector(`[data-slip-address="${slip.getAttribute("action")}"]`);
    if (table && !("own" in table.dataset)) choose(table);
  }
  if (!slip.hidden && ranks) return;
  if (document.querySelector("[role=alert] input[name=reason]")) return; // the page of a conflict has the focus there
  field.focus();
  if (field.value) field.select();
})();
