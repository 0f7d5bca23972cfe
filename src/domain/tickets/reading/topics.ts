import { support } from "@/brand/tickets";

const topics = new Map(Object.entries(support.topics));
export const topicNames: readonly string[] = [...topics.keys()];
export const isTopic = (name: string): boolean => topics.has(name);

/** A topic's texts; those of the last, which is for anything, for a topic that the shop has dropped. */
export const topicOf = (name: string) => topics.get(name) ?? lastTopic;
// the schema asks for one
const lastTopic = [...topics.values()].at(-1)!;

/** A topic's name for readers; for a topic that the shop has dropped, its key. */
export const topicName = (topic: string): string => topics.get(topic)?.name ?? topic;
