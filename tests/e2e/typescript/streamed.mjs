// Prints the first changes of an event's stream: streamed.mjs CLIENT URL EVENT COUNT.

const [client, url, event, count] = process.argv.slice(2);
const { Client } = await import(client);
const heard = [];
for await (const change of new Client(url).stream(event)) {
  heard.push(change);
  if (heard.length === Number(count)) break;
}
console.log(JSON.stringify(heard));
