import type { World } from "../world";
import type { Form } from "./form";

/** One API request, its key checked and its body read. */
export type Call = {
  world: World;
  params: Form;
  /** The id in the path, or "". */
  id: string;
};

/** Endpoints never wait, so that one request is one step for everybody else. */
export type Endpoint = (call: Call) => object;
