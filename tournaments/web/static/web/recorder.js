// Sends the forms of the match recorder without leaving the page. A move that a lost connection did not take, or for which
// one has to sign in again, is kept for this tab and its account, and sent again under the same key: it counts once.
(() => {
  "use strict";
  const PAUSE = 3000; // milliseconds between two tries
  const place = () => document.getElementById("recorder");
  const { account } = document.body.dataset;
  const name = () => `recorder:${place()?.dataset.recording}:${account}`;
  const kept = () => JSON.parse(sessionStorage.getItem(name()) || "[]");
  const keep = (queue) => sessionStorage.setItem(name(), JSON.stringify(queue));
  let sending = false;

  function tell(lost) {
    const line = document.getElementById("unsent");
    line.hidden = !lost;
    line.textContent = lost ? line.dataset.words : "";
  }

  async function post(fields) {
    const body = new URLSearchParams(fields);
    body.set("csrfmiddlewaretoken", document.querySelector("[name=csrfmiddlewaretoken]").value); // signing in changes it
    const response = await fetch(location.pathname, { method: "POST", body });
    if (response.status >= 500 || response.status === 429) throw new Error("later");
    return [response, new DOMParser().parseFromString(await response.text(), "text/html")];
  }

  function show(response, page) {
    const fresh = page.getElementById("recorder");
    if (!fresh) { location.assign(response.url); return; }
    const focused = document.activeElement?.id;
    place().replaceWith(fresh);
    if (window.htmx) window.htmx.process(fresh);
    (document.getElementById(focused) || document.getElementById("now"))?.focus?.();
  }

  async function send() {
    if (sending) return;
    sending = true;
    try {
      for (let queue = kept(); queue.length; queue = kept()) {
        const [response, page] = await post(queue[0]);
        if (page.body.dataset.account !== account) { location.reload(); return; } // to sign in, and then back here
        keep(queue.slice(1));
        show(response, page);
      }
      tell(false);
    } catch {
      tell(true);
      setTimeout(send, PAUSE);
    } finally {
      sending = false;
    }
  }

  document.addEventListener("submit", (event) => {
    const form = event.target.closest("form.recorder__form");
    if (!form) return;
    event.preventDefault();
    if (kept().length) return; // one after the other: the next moves are known once this one is in
    keep([[...new FormData(form)]]);
    send();
  });
  addEventListener("online", send);
  if (place() && kept().length) send();
})();
