import { expect, test } from "bun:test";
import { createCircuit } from "@bot/server/circuit";
import { GuildForbids } from "@/domain/discord/guild";

/** A circuit on a stopped clock, with its reports. */
function world() {
  const clock = { now: 0 };
  const seen = { opened: [] as string[], recovered: 0 };
  const circuit = createCircuit(() => clock.now, {
    opened: (code) => void seen.opened.push(code),
    recovered: () => void (seen.recovered += 1),
  });
  const change = (userId: string, answer: string | true) =>
    circuit
      .pass({ userId, changes: true }, async () => {
        if (answer !== true) throw new GuildForbids(answer);
        return true;
      })
      .then(
        () => "done",
        (error: Error) => error.name,
      );
  return { clock, seen, circuit, change };
}

test("an unexplained refusal of one member doesn't stop the others, and is examined once", async () => {
  const { seen, circuit, change } = world();
  expect(await change("ada", "50013")).toBe("GuildForbids");
  expect(await change("dora", true)).toBe("CircuitOpen");
  circuit.foundNothing(false);
  expect(circuit.alone()).toEqual(["ada", "50013"]);
  expect(await change("dora", true)).toBe("done");
  for (let tries = 0; tries < 5; tries += 1) expect(await change("ada", "50013")).toBe("GuildForbids");
  expect(await change("dora", true)).toBe("done");
  expect(seen).toEqual({ opened: ["50013"], recovered: 0 });
});

test("an unexplained refusal of a second member stops all changes, for a growing pause", async () => {
  const { clock, seen, circuit, change } = world();
  await change("ada", "50013");
  circuit.foundNothing(false);
  await change("dora", "50013");
  circuit.foundNothing(false);
  expect(circuit.unexplained()).toBe("50013");
  const pauses: number[] = [];
  for (let rounds = 0; rounds < 8; rounds += 1) {
    const began = clock.now;
    while (!circuit.isDue()) {
      expect(await change("tim", true)).toBe("CircuitOpen");
      clock.now += 1_000;
    }
    pauses.push((clock.now - began) / 1_000);
    circuit.foundNothing(false);
    const tried = await Promise.all(["ada", "dora", "tim"].map((user) => change(user, "50013")));
    expect(tried.toSorted()).toEqual(["CircuitOpen", "CircuitOpen", "GuildForbids"]);
    circuit.foundNothing(false);
  }
  expect(pauses).toEqual([30, 60, 120, 240, 480, 900, 900, 900]);
  expect(seen.recovered).toBe(0);
  clock.now += 900_000;
  circuit.foundNothing(false);
  expect(await change("tim", true)).toBe("done");
  expect(seen.recovered).toBe(1);
  expect(circuit.unexplained()).toBeNull();
});

test("a refusal that concerns everybody stops all changes at once, and a check asked for by staff retries it", async () => {
  const { circuit, change } = world();
  await change("ada", "60003");
  circuit.foundNothing(false);
  expect(await change("dora", true)).toBe("CircuitOpen");
  expect(circuit.unexplained()).toBe("60003");
  circuit.foundNothing(true);
  expect(await change("dora", true)).toBe("done");
});

test("a known cause stops all changes until an examination finds it gone", async () => {
  const { clock, circuit, change } = world();
  await change("ada", "50013");
  circuit.found("role_too_high");
  expect(circuit.unexplained()).toBeNull();
  clock.now = 30_000;
  expect(circuit.isDue()).toBe(true);
  circuit.found("role_too_high");
  clock.now = 89_000;
  expect(circuit.isDue()).toBe(false);
  expect(circuit.foundNothing(false)).toBe(true);
  expect(await change("ada", true)).toBe("done");
});

test("calls still waiting when the circuit opens are not sent", async () => {
  const { circuit, change } = world();
  const { promise, resolve } = Promise.withResolvers<string>();
  const waiting = circuit.pass({ userId: "dora", changes: true }, (signal) => {
    signal.addEventListener("abort", () => resolve("not sent"));
    return promise;
  });
  await change("ada", "50013");
  expect(await waiting).toBe("not sent");
});
