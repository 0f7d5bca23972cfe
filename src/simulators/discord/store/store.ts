import { type Journal, readJournal, startJournal } from "../../journal";
import type {
  Attachment,
  AuditEntry,
  Ban,
  Channel,
  Command,
  Interaction,
  Member,
  Message,
  OAuthCode,
  OAuthGrant,
  Role,
  Setting,
  ThreadMember,
  User,
} from "./rows";
import { type Row, type Table, table } from "./table";

type Rows = {
  users: User;
  members: Member;
  roles: Role;
  channels: Channel;
  /** Grouped by thread. */
  threadMembers: ThreadMember;
  /** Grouped by channel. */
  messages: Message;
  attachments: Attachment;
  commands: Command;
  /** Grouped by token. */
  interactions: Interaction;
  bans: Ban;
  audit: AuditEntry;
  codes: OAuthCode;
  grants: OAuthGrant;
  settings: Setting;
};
export type TableName = keyof Rows;
type Tables = { [N in TableName]: Table<Rows[N]> };

/** All that the stand-in remembers. Reads go to the tables, writes through `put` and `remove`. */
export type Store = Tables & {
  put<N extends TableName>(name: N, row: Rows[N]): Rows[N];
  remove(name: TableName, id: string): void;
  setting(id: string): string | undefined;
  keep(id: string, value: string): void;
  /** Writes what changed since the last save as one line, so that a crash keeps all of it or nothing. True if anything did. */
  save(): boolean;
  close(): void;
};

/** A row put, or with `null` the row with this id taken away. */
type Change = [table: string, id: string, row: Row | null];

const placeIn = (folder: string) => ({ folder, file: "server.jsonl" });

export function openStore(folder: string | undefined): Store {
  const tables = emptyTables();
  if (folder !== undefined)
    for (const change of readJournal<Change>(placeIn(folder))) restore(tables, change);
  let journal: Journal<Change> | undefined =
    folder === undefined ? undefined : startJournal(placeIn(folder), snapshot(tables));
  let unsaved: Change[] = [];
  let changed = false;
  const note = (change: Change) => {
    changed = true;
    if (journal) unsaved.push(change);
  };
  const store: Store = {
    ...tables,
    put(name, row) {
      rowsOf(tables, name).set(row);
      note([name, row.id, row]);
      return row;
    },
    remove(name, id) {
      tables[name].delete(id);
      note([name, id, null]);
    },
    setting: (id) => tables.settings.get(id)?.value,
    keep: (id, value) => void store.put("settings", { id, value }),
    save() {
      if (unsaved.length > 0) journal?.append(unsaved);
      unsaved = [];
      const did = changed;
      changed = false;
      return did;
    },
    close() {
      store.save();
      journal?.close();
      journal = undefined;
    },
  };
  return store;
}

function emptyTables(): Tables {
  return {
    users: table(),
    members: table(),
    roles: table(),
    channels: table((channel) => channel.parent_id ?? ""),
    threadMembers: table((member) => member.thread),
    messages: table((message) => message.channel_id),
    attachments: table(),
    commands: table(),
    interactions: table((interaction) => interaction.token),
    bans: table(),
    audit: table(),
    codes: table(),
    grants: table(),
    settings: table(),
  };
}

/** Forgets which table it is; `put` and the journal pair names with rows. */
function rowsOf(tables: Tables, name: TableName): Table<Row> {
  return tables[name];
}

function restore(tables: Tables, [name, id, row]: Change) {
  if (!isTableName(tables, name)) return;
  if (row === null) tables[name].delete(id);
  else rowsOf(tables, name).set(row);
}

function* snapshot(tables: Tables): Generator<Change> {
  for (const name of Object.keys(tables))
    if (isTableName(tables, name)) for (const row of rowsOf(tables, name).all()) yield [name, row.id, row];
}

function isTableName(tables: Tables, name: string): name is TableName {
  return Object.hasOwn(tables, name);
}
