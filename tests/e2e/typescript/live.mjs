// Uses a running site as an organizer would, and prints what it got: live.mjs CLIENT URL TOKEN.

import assert from "node:assert/strict";

const [client, url, token] = process.argv.slice(2);
const { Client, Problem } = await import(client);
const api = new Client(url, { token, language: "fr" });

const made = { key: "created-once", body: { name: "TypeScript Open", preset: "star-safir" } };
const event = await api.call("events_create", made);
assert.equal((await api.call("events_create", made)).id, event.id);
assert.notEqual((await api.call("events_create", { body: made.body })).id, event.id);
const path = { event_id: event.id };
assert.equal((await api.call("events_read", { path })).name, "TypeScript Open");

for (const family_name of ["Un", "Deux", "Trois"]) {
  await api.call("entrants_create", { path, body: { given_name: "Player", family_name } });
}
const names = [];
for await (const entrant of api.pages("entrants_list", { path, query: { limit: 2 } })) names.push(entrant.name);
assert.equal(names.length, 3);
assert.match(await api.call("exports_read", { path: { ...path, table: "entrants" }, query: { as: "csv" } }), /Trois/);

await assert.rejects(api.call("events_step", { path, body: { step: "finish" } }), (error) => {
  assert.ok(error instanceof Problem);
  assert.deepEqual([error.status, error.code], [409, "round_open"]);
  return true;
});
await assert.rejects(api.call("events_create", { body: {} }), { status: 422, code: "invalid" });
await assert.rejects(new Client(url).call("me"), { status: 401, code: "not_authenticated" });

await api.call("events_step", { path, body: { step: "open" } });
const watching = new AbortController();
const changes = api.stream(event.id, { signal: watching.signal });
const first = changes.next();
// The stream starts when it is open: a change before that is not told.
const timer = setInterval(() => void api.call("entrants_create", { path, body: { given_name: "Late" } }), 1000);
const change = (await first).value;
clearInterval(timer);
assert.ok(change.topics.some((topic) => topic.startsWith("entrant")), change.topics.join());
watching.abort();
assert.equal((await changes.next()).done, true);
console.log(JSON.stringify({ event: event.id, names, revision: change.revision }));
