const path = new URL("../../../docs/operations.md", import.meta.url).pathname;

export type Block = { section: string; language: string; lines: string[] };

/** The code blocks of the operator's manual, in order, with their sections. */
export async function manualBlocks(): Promise<Block[]> {
  const blocks: Block[] = [];
  let section = "";
  let open: Block | null = null;
  for (const line of (await Bun.file(path).text()).split("\n")) {
    const fence = /^\s*```(\w*)$/.exec(line);
    if (fence && open) {
      blocks.push(open);
      open = null;
    } else if (fence) open = { section, language: fence[1] ?? "", lines: [] };
    else if (open) open.lines.push(line.trim());
    else section = /^## (.+)$/.exec(line)?.[1] ?? section;
  }
  return blocks;
}

export const bareMachine = "On a bare machine";
export const toRealSales = "From set-up to real sales";
export const proxies = "The proxy";
export const byHand = "By hand, with the environment alone";
export const scalingOut = "Moving to a database server, and scaling out";

/** nginx before one process, and before several: the same file, with a block in front and another `proxy_pass`. */
export async function manualNginx(): Promise<{ forOne: Block; forSeveral: Block }> {
  const [forOne, upstream] = (await manualBlocks()).filter(({ language }) => language === "nginx");
  const [, directives] = /`(proxy_pass http:\/\/latchkey;[^`]+)`/.exec(await manualText(scalingOut)) ?? [];
  if (!forOne || !upstream || !directives) throw new Error("the manual has no proxy for several processes");
  const instead = directives.split(/(?<=;) /);
  const changed = forOne.lines.flatMap((line) => (line.startsWith("proxy_pass ") ? instead : [line]));
  return { forOne, forSeveral: { ...forOne, lines: [...upstream.lines, ...changed] } };
}

/** A section's raw text. */
export async function manualText(section: string): Promise<string> {
  const [, text = ""] = (await Bun.file(path).text()).split(`## ${section}\n`);
  return text.split(/^## /m)[0] ?? "";
}
