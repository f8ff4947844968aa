// Answers for the network where it does not: with the seat page, the recorder and the files that offline.js has kept on this
// device, and for any other page with one that says so.
// It keeps nothing itself, and lets everything else pass.
"use strict";
const PAGES = "arbitre-pages"; // both as in offline.js
const FILES = "arbitre-files";
const KEPT = 24 * 60 * 60 * 1000; // milliseconds a page is shown again at most
const PATIENCE = 5000; // milliseconds a network is waited for where there is something to show
const SEAT = /^\/e\/[^/]+\/me\/$/;
const RECORDER = /^\/recordings\/[^/]+\/$/;
const RULES = /\/rules\//; // the rules engine for browsers, which a worker of the recorder loads
const NO_NETWORK = new URL("offline/", location.href).pathname; // kept among the files
const GATEWAY = [502, 503, 504]; // the proxy is there, the site is not

addEventListener("install", () => skipWaiting());
// With preload, the browser asks for a page while it starts the worker, and pages are no slower than without one.
addEventListener("activate", (event) => event.waitUntil(Promise.all([clients.claim(), registration.navigationPreload?.enable()])));

const kept = async (request, cacheName) => {
  const found = await caches.match(request, { cacheName, ignoreVary: true });
  const at = found?.headers.get("X-Kept-At");
  return at && Date.now() - Number(at) > KEPT ? undefined : found;
};

const answer = async (request, cacheName, network = fetch(request)) => {
  const ours = await kept(request, cacheName);
  if (!ours) return network;
  const late = new Promise((_done, fail) => setTimeout(fail, PATIENCE));
  try {
    const theirs = await Promise.race([network, late]);
    return GATEWAY.includes(theirs.status) ? ours : theirs;
  } catch {
    return ours;
  }
};

const page = async (event) => {
  const { pathname } = new URL(event.request.url);
  const network = (async () => (await event.preloadResponse) ?? fetch(event.request))();
  try {
    return await (SEAT.test(pathname) || RECORDER.test(pathname) ? answer(event.request, PAGES, network) : network);
  } catch (lost) {
    const ours = await caches.match(NO_NETWORK, { cacheName: FILES, ignoreVary: true });
    if (ours) return ours;
    throw lost;
  }
};

addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(event));
  else if (["script", "style", "worker"].includes(request.destination) || RULES.test(address.pathname)) event.respondWith(answer(request, FILES));
});

// ------------------------------------------------------------------ notifications
addEventListener("push", (event) => {
  const { title, path, ...shown } = event.data.json();
  event.waitUntil(registration.showNotification(title, { ...shown, renotify: true, data: { path } }));
});

const open = async (path) => {
  const address = new URL(path, location.origin);
  const pages = await clients.matchAll({ type: "window" });
  const there = pages.find(({ url }) => new URL(url).pathname === address.pathname);
  return there ? there.focus() : clients.openWindow(address.href);
};

addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.path));
});
