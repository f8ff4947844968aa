// Answers for the network where it does not: with the seat page, the recorder and the files that offline.js has kept on this
// device.
// It keeps nothing itself, and lets everything else pass.
"use strict";
const PAGES = "arbitre-pages"; // both as in offline.js
const FILES = "arbitre-files";
const KEPT = 24 * 60 * 60 * 1000; // milliseconds a page is shown again at most
const PATIENCE = 5000; // milliseconds a network is waited for where there is something to show
const SEAT = /^\/e\/[^/]+\/me\/$/;
const RECORDER = /^\/recordings\/[^/]+\/$/;
const RULES = /\/rules\//; // the rules engine for browsers, which a worker of the recorder loads
const GATEWAY = [502, 503, 504]; // the proxy is there, the site is not

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

const kept = async (request, cacheName) => {
  const found = await caches.match(request, { cacheName, ignoreVary: true });
  const at = found?.headers.get("X-Kept-At");
  return at && Date.now() - Number(at) > KEPT ? undefined : found;
};

const answer = async (request, cacheName) => {
  const network = fetch(request);
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

addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  if (request.method !== "GET" || address.origin !== location.origin) return;
  if (request.mode === "navigate") {
    if (SEAT.test(address.pathname) || RECORDER.test(address.pathname)) event.respondWith(answer(request, PAGES));
  } else if (["script", "style", "worker"].includes(request.destination) || RULES.test(address.pathname)) event.respondWith(answer(request, FILES));
});
