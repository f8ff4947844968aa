// Compiled only, by test_typescript.py: what the compiler accepts, and the mistakes it finds.

import { Client } from "./client/client.ts";
import type { Schema } from "./client/client.ts";

const api = new Client("https://arbitre.example.org", { token: "arb_…" });

export const event: Schema.Event = await api.call("events_read", { path: { event_id: "e-1" } });
export const scopes: Schema.TokenScope[] = (await api.call("me")).account.scopes;
export const nothing: null = await api.call("byes_take_back", { path: { entrant_id: "p-1", number: 1 } });
for await (const entrant of api.pages("entrants_list", { path: { event_id: "e-1" }, query: { status: "waiting" } })) {
  entrant.name.toUpperCase();
}

// @ts-expect-error: there is no such operation
await api.call("events_raed", { path: { event_id: "e-1" } });
// @ts-expect-error: the path needs its values
await api.call("events_read");
// @ts-expect-error: the value is called event_id
await api.call("events_read", { path: { event: "e-1" } });
// @ts-expect-error: a report has the games
await api.call("matches_confirm", { path: { match_id: "m-1" }, body: { games: [2, 0, 0] } });
// @ts-expect-error: there is no such status
api.pages("entrants_list", { path: { event_id: "e-1" }, query: { status: "gone" } });
// @ts-expect-error: this list does not come in pages
api.pages("rounds_list", { path: { event_id: "e-1" } });
