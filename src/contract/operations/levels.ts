import { maxFeatures, maxLevelNameLength, maxLevels } from "../vocabulary/bounds";
import { flag, line, slug, wholeNumber, word, words } from "../vocabulary/fields";
import { operation } from "./operation";

const onLevel = {
  roles: ["operator", "owner"],
  code: true,
  reason: "optional",
  answers: "levelOutcome",
  means: "The level, or the preview",
} as const;
const levelName = { label: "Name", most: maxLevelNameLength } as const;
const place = { label: "Place", most: maxLevels, hint: "1 is the lowest.", optional: true } as const;
const includesBefore = { label: "Includes the level before it" } as const;
const features = {
  label: "Features",
  pattern: /^[a-z0-9][a-z0-9_-]{0,31}$/,
  mistake: "words of at most 32 lowercase letters, digits, dashes and underscores",
  most: maxFeatures,
  hint: "What the application asks for, such as export, with commas between.",
} as const;
const role = {
  label: "Discord role",
  pattern: /^\d{17,20}$/,
  mistake: "a role's id: 17 to 20 digits",
  hint: "The role's id. Leave empty for none.",
  nullable: true,
  about: "The role's id; null: none, or for the first level that of the settings",
} as const;
const takeRole = flag({
  label: "Take the role from members without a license for this level",
  about: "Although members who have the role would lose it",
  otherwise: false,
});
const preview = flag({ label: "Preview", about: "Only says whom it concerns; changes nothing" });

export const listLevels = operation({
  name: "level.read",
  roles: ["operator", "owner", "support", "viewer"],
  call: "GET levels",
  page: true,
  answers: "level",
  means: "A page of the levels",
  summary: "Every level, the lowest first",
});

export const addLevel = operation({
  ...onLevel,
  name: "level.add",
  call: "POST levels",
  command: "levels add <id>",
  fields: {
    name: line(levelName),
    id: word({ ...slug, hint: "What the application sees. Can't be changed later." }),
    place: wholeNumber({ ...place, about: "1 is the lowest; left out: above all others" }),
    includes_before: flag({ ...includesBefore, otherwise: true }),
    features: words({ ...features, otherwise: [] }),
    role: word({ ...role, otherwise: null }),
    take_role: takeRole,
    preview,
  },
  summary: "Add a level that offers can sell",
});

export const changeLevel = operation({
  ...onLevel,
  name: "level.change",
  call: "POST levels/{id}/change",
  command: "levels change <id>",
  fields: {
    name: line({ ...levelName, optional: true }),
    place: wholeNumber({ ...place, about: "1 is the lowest" }),
    includes_before: flag(includesBefore),
    features: words({ ...features, optional: true }),
    role: word({ ...role, optional: true }),
    take_role: takeRole,
    again: flag({ label: "Sell it again", about: "Of a retired level: offers can sell it again" }),
    preview,
  },
  someOf: ["name", "place", "includes_before", "features", "role", "again"],
  summary: "Change a level for everyone who has it",
  description: "Tokens and files that were given out keep what they carry until they end.",
});

export const retireLevel = operation({
  ...onLevel,
  name: "level.retire",
  call: "POST levels/{id}/retire",
  command: "levels retire <id>",
  fields: { preview },
  summary: "Take a level and its offers off sale",
  description: "Whoever has the level keeps it, with its features and its role.",
});
