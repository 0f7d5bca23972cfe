/** Each chunk's imports, by their URLs. */
export type ChunkGraph = ReadonlyMap<string, { static: readonly string[]; dynamic: readonly string[] }>;

type Screen = { url: string; text: string };

/**
 * Bun's entry holds a table of all chunks, from which each `import()` preloads what its chunk imports. This leaves out of
 * it what every page has anyway, what follows from other rows, and what only the given screen leads to, whose own chunk
 * gets those rows. Both files keep their names, because what they hold now follows from what they were named after.
 * @param always the chunks that every page asks for
 */
export function splitPreloadTable(
  graph: ChunkGraph,
  entry: Screen,
  screen: Screen,
  always: readonly string[],
): { entry: string; screen: string } {
  const table = tableIn(entry.text);
  const present = importedAtOnce(graph, [entry.url, ...always]);
  const elsewhere = follow([entry.url], (url) =>
    // entering the screen itself, but nothing that it brings later
    url === screen.url ? importsOf(graph, url).static : Object.values(importsOf(graph, url)).flat(),
  );
  const later = [...graph.keys()].filter((url) => table.urls.has(url) && !elsewhere.has(url));
  const chosen = (own: string, urls: Iterable<string>) => [
    own,
    ...[...urls].filter((url) => url !== own && table.urls.has(url) && !present.has(url)),
  ];
  const ofEntry = rowsOf(graph, chosen(entry.url, elsewhere));
  const ofScreen = rowsOf(graph, chosen(screen.url, importedAtOnce(graph, [screen.url, ...later])));
  return {
    entry: entry.text.replace(table.text, () => registration(table.register, ofEntry)),
    screen: `${screen.text}\nimport{${table.register} as registerChunks}from"${table.from}";${registration("registerChunks", ofScreen)}\n`,
  };
}

/** These chunks and everything that they import statically. */
export const importedAtOnce = (graph: ChunkGraph, urls: readonly string[]) =>
  follow(urls, (url) => importsOf(graph, url).static);

/** Bun's call with the table, the function that it calls, and the chunk that exports the function. */
function tableIn(entry: string) {
  const [text, register = "", ids = "[]", rows = "[]"] =
    /([\w$]+)\(import\.meta\.url,(\[[^\]]*\]),(\[\[.*?\]\]),\d+\);/s.exec(entry) ?? [];
  const from = [...entry.matchAll(/import\{([^}]*)\}from"([^"]+)"/g)].find(([, names = ""]) =>
    names.split(",").includes(register),
  )?.[2];
  const urls: string[] = (JSON.parse(rows) as [string][]).map(([url]) => url);
  const isNamedByHash = JSON.stringify(urls.map(hashIn)) === JSON.stringify(JSON.parse(ids));
  if (!text || !from || !isNamedByHash)
    throw new Error("The entry's table of chunks is not written as Bun 1.4 writes it");
  return { text, register, from, urls: new Set(urls) };
}

const hashIn = (url: string) => url.slice(-11, -3);

const registration = (register: string, rows: unknown) =>
  `((rows)=>${register}(import.meta.url,rows.map(([url])=>url.slice(-11,-3)),rows,0))(${JSON.stringify(rows)});`;

/** Each chunk's URL, and the places of the chunks that it imports, unless another of them brings them along. */
function rowsOf(graph: ChunkGraph, urls: readonly string[]) {
  const places = new Map(urls.map((url, place) => [url, place]));
  const brought = new Map(urls.map((url) => [url, importedAtOnce(graph, [url])]));
  return urls.map((url) => {
    const used = importsOf(graph, url).static.filter((other) => places.has(other));
    const isBrought = (one: string) =>
      used.some((other) => brought.get(other)?.has(one) && !brought.get(one)?.has(other));
    return [url, ...used.flatMap((one) => (isBrought(one) ? [] : (places.get(one) ?? [])))];
  });
}

const importsOf = (graph: ChunkGraph, url: string) => graph.get(url) ?? { static: [], dynamic: [] };

function follow(urls: readonly string[], next: (url: string) => readonly string[]): Set<string> {
  const seen = new Set<string>();
  const queue = [...urls];
  for (let url = queue.pop(); url !== undefined; url = queue.pop()) {
    if (seen.has(url)) continue;
    seen.add(url);
    queue.push(...next(url));
  }
  return seen;
}
