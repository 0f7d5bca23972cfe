import { type Topic } from "@/core/database/topic";
import { botTopics, shopTopics } from "./outbox-topics";
import { emails } from "./emails";

const topics: readonly Topic[] = [...Object.values(shopTopics), ...Object.values(botTopics), ...emails];

export const allTopics: readonly string[] = topics.map(({ name }) => name);

/** The lane of a stored job; for a topic that only another release knows, the lane that its name begins with. */
export const laneOf = (name: string): string =>
  topics.find((topic) => topic.name === name)?.lane ?? name.split(".")[0] ?? name;
