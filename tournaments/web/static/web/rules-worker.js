// The rules engine in a browser: Pyodide runs the same Python as the server, away from the page so that it never stops it.
// Messages are {id, call, args}; each is answered by {id, answer} or {id, error}.
let py = null;
let table = null;

const calls = {
  // Load everything: the folder with Pyodide and its packages, and the archive with the engine.
  async start(base, zip) {
    const { loadPyodide } = await import(`${base}pyodide.mjs`);
    const load = (address) => fetch(address).then((answer) => answer.arrayBuffer());
    const [loaded, ...archives] = await Promise.all([loadPyodide({ indexURL: base }), load(`${base}packages.zip`), load(zip)]);
    py = loaded;
    for (const archive of archives) py.unpackArchive(archive, "zip", { extractDir: "/rules" });
    py.runPython("import sys; sys.path.insert(0, '/rules')\nfrom tournaments.boards.table import Table");
    return true;
  },
  // Lay the table: a game with its entries so far, as the server gave it.
  open(document) {
    table?.destroy();
    table = py.globals.get("Table")(document);
  },
  view: () => table.view(),
  complete: (move, answers) => table.complete(move, answers),
  accept: (entry) => table.accept(entry),
  undo: () => table.undo(),
};

addEventListener("message", async ({ data: { id, call, args } }) => {
  try {
    postMessage({ id, answer: await calls[call](...args) });
  } catch (error) {
    postMessage({ id, error: String(error) });
  }
});
