// Calls an operation of a stand-in server and prints what came of it: scripted.mjs CLIENT URL SETTINGS NAME ARGS.

const [client, url, settings, operation, args] = process.argv.slice(2);
const { Client, Problem, NoAnswer } = await import(client);
const api = new Client(url, JSON.parse(settings));
const started = Date.now();
const printed = (outcome) => console.log(JSON.stringify({ ...outcome, seconds: (Date.now() - started) / 1000 }));
try {
  printed({ answer: await api.call(operation, JSON.parse(args)) });
} catch (error) {
  if (error instanceof NoAnswer) printed({ error: "no answer" });
  else if (error instanceof Problem) printed({ error: [error.status, error.code, error.detail, error.details] });
  else throw error;
}
