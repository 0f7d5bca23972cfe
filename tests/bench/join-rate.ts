import { measure, openServers } from "./servers";

/** Requests a second of the bare join that `bun run bench` compares with: how fast this machine is. */
export async function joinRate(): Promise<number> {
  await using servers = await openServers();
  const copy = `${servers.folder}/copy.db`;
  const { cookie } = await servers.start("shop.ts", `${servers.folder}/data`, copy);
  const token = /session=([^;]+)/.exec(cookie)?.[1] ?? "";
  const join = { name: "join", ...(await servers.start("bare.ts", "join", copy, token)), header: "" };
  return (await measure([join], 1, 2)).get("join")?.[0]?.perSecond ?? Number.NaN;
}
