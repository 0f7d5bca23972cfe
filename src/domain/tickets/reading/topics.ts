import { support } from "@/brand/tickets";

export type TopicName = keyof typeof support.topics;
export const topicNames = Object.keys(support.topics) as TopicName[];
export const isTopic = (name: string): name is TopicName => Object.hasOwn(support.topics, name);

/** A topic's texts; those of `other` for a topic that the shop has dropped. */
export const topicOf = (name: string) => support.topics[isTopic(name) ? name : "other"];

/** A topic's name for readers; for a topic that the shop has dropped, its key. */
export const topicName = (topic: string): string => (isTopic(topic) ? support.topics[topic].name : topic);
