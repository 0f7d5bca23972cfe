import { commands } from "@/brand/commands";

export type Command = { name: string; description: string };
export type Group = { group: string; commands: readonly Command[] };

/** The brand's catalogue as lists, in its own order. */
export const catalogue: readonly Group[] = Object.entries<Readonly<Record<string, string>>>(commands).map(
  ([group, entries]) => ({
    group,
    commands: Object.entries(entries).map(([name, description]) => ({ name, description })),
  }),
);

/** The commands that contain every typed word in their name, description or group; empty groups are omitted. */
export function find(typed: string, only?: string): readonly Group[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return catalogue
    .filter(({ group }) => only === undefined || group === only)
    .map(({ group, commands }) => ({
      group,
      commands: commands.filter((command) =>
        holdsAll(`${command.name} ${command.description} ${group}`, words),
      ),
    }))
    .filter(({ commands }) => commands.length > 0);
}

function holdsAll(text: string, words: readonly string[]) {
  const lower = text.toLowerCase();
  return words.every((word) => lower.includes(word));
}
