import { createSite } from "@/serving/site";
import { root, runProcess } from "../operator/run-process";

type Changed = {
  /** The first page's title right after a start, and once `updated` is settled. */
  before: string;
  after: string;
  /** How a script of the first page is answered at the end. */
  script: number;
  failed: string | null;
};

/** Starts pages with a brand, of which the folder may hold the build of another, in a process of its own. */
export async function startChanged(brandDir: string, cacheDir: string): Promise<Changed> {
  const command = [process.execPath, import.meta.path, cacheDir];
  const { out, err, code } = await runProcess(command, { env: { ...process.env, BRAND: brandDir } });
  if (code !== 0) throw new Error(`no site was made with ${brandDir}: ${err}`);
  return JSON.parse(out) as Changed;
}

if (import.meta.main) {
  const [cacheDir = `${root}/.cache/site`] = process.argv.slice(2);
  const publicUrl = new URL("http://shop.test");
  const site = await createSite({ publicUrl, cacheDir, servesLast: true });
  const page = () => site(new Request(publicUrl)).text();
  const titleOf = (html: string) => /<title>([^<]*)/.exec(html)?.[1] ?? "";
  const first = await page();
  const [script = ""] = /\/assets\/[\w.-]+\.js/.exec(first) ?? [];
  const failed = await site.updated;
  const { status } = site(new Request(new URL(script, publicUrl)));
  const changed = { before: titleOf(first), after: titleOf(await page()), script: status, failed };
  console.log(JSON.stringify(changed satisfies Changed));
}
