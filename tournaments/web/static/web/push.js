// Turns notifications on and off for this device. The forms of the page do the rest; a browser's own permission is asked for
// only after the button was pressed.
(() => {
  "use strict";
  const section = document.getElementById("push");
  const form = section.querySelector("form");
  const show = (...states) => {
    for (const part of section.querySelectorAll("[data-state]")) part.hidden = !states.includes(part.dataset.state);
  };
  const key = Uint8Array.from(atob(section.dataset.key.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  const isSame = (theirs) => theirs && [...new Uint8Array(theirs)].join() === key.join();

  const current = async () => {
    const worker = await navigator.serviceWorker.getRegistration();
    const found = await worker?.pushManager.getSubscription();
    if (!found || isSame(found.options.applicationServerKey)) return found;
    await found.unsubscribe(); // made for a key that the site no longer has
    return null;
  };

  const refresh = async () => {
    const apple = /iP(hone|ad|od)/.test(navigator.userAgent) || (navigator.platform === "MacIntel" && navigator.maxTouchPoints > 1);
    if (!navigator.serviceWorker || !window.PushManager || !window.Notification) return show(apple ? "install" : "unsupported");
    const endpoint = (await current())?.endpoint;
    const here = [...document.querySelectorAll("[data-endpoint]")].find((device) => device.dataset.endpoint === endpoint);
    here?.querySelector("[data-here]").removeAttribute("hidden");
    if (Notification.permission === "denied") return show("blocked");
    return show(here ? "on" : "off");
  };

  form.addEventListener("submit", async (event) => {
    if (form.elements.endpoint.value) return;
    event.preventDefault();
    try {
      if ((await Notification.requestPermission()) !== "granted") return void (await refresh());
      const worker = await navigator.serviceWorker.ready;
      const made = (await current()) ?? (await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
      const { endpoint, keys } = made.toJSON();
      Object.assign(form.elements.endpoint, { value: endpoint });
      Object.assign(form.elements.p256dh, { value: keys.p256dh });
      Object.assign(form.elements.auth, { value: keys.auth });
      form.requestSubmit();
    } catch {
      show("failed", "off");
    }
  });

  // The browser forgets its subscription first, so that its push service keeps nothing for it.
  document.addEventListener("submit", async (event) => {
    const form = event.target;
    const device = form.matches("[data-off]") && form.closest("[data-endpoint]");
    if (!device || form.dataset.ended || !navigator.serviceWorker) return;
    event.preventDefault();
    form.dataset.ended = "yes";
    const worker = await navigator.serviceWorker.getRegistration();
    const found = await worker?.pushManager?.getSubscription();
    if (found?.endpoint === device.dataset.endpoint) await found.unsubscribe();
    form.requestSubmit();
  });

  refresh();
})();
