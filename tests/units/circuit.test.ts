import { expect, test } from "bun:test";
import { createCircuit, createCircuits } from "@bot/server/circuit";
import type { Complaint } from "@bot/server/level-role";
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

/** The circuits of a shop whose levels give the roles `pro` and `team`, on a stopped clock. */
function shopWorld() {
  const clock = { now: 0 };
  const circuits = createCircuits(() => clock.now, "pro", { opened() {}, recovered() {} });
  const examine = (...complaints: Complaint[]) =>
    circuits.examined({ complaints, levelRoles: ["pro", "team"], anew: false });
  examine();
  const change = (userId: string, roleId: string, answer: string | true) =>
    circuits
      .change(userId, roleId, async () => {
        if (answer !== true) throw new GuildForbids(answer);
        return true;
      })
      .then(
        () => "done",
        (error: Error) => error.name,
      );
  return { clock, circuits, examine, change };
}

const tooHigh = (id: string): Complaint => ({
  code: "role_too_high",
  blocking: true,
  sentence: "",
  role: { id, stops: ["grant", "take"] },
});

test("a role that Discord refuses, or whose fault is known, holds up no other; only all of them hold up everything", async () => {
  const { circuits, examine, change } = shopWorld();
  expect(await change("ada", "team", "50013")).toBe("GuildForbids");
  expect(await change("dora", "team", true)).toBe("CircuitOpen");
  expect(await change("dora", "pro", true)).toBe("done");
  expect([circuits.may("grant", "team"), circuits.isOpen()]).toEqual([true, false]);
  expect(examine(tooHigh("team"))).toBe(false);
  expect([circuits.may("take", "team"), circuits.may("take", "pro"), circuits.isOpen()]).toEqual([
    false,
    true,
    false,
  ]);
  examine(tooHigh("team"), tooHigh("pro"));
  expect(circuits.isOpen()).toBe(true);
  expect(examine(tooHigh("pro"))).toBe(true);
  expect([circuits.may("take", "team"), circuits.isOpen()]).toEqual([true, false]);
});

test("a refusal of the token, the server or two-factor holds up all roles", async () => {
  for (const code of ["401", "10004", "50001", "60003"]) {
    const { circuits, change } = shopWorld();
    expect(await change("ada", "team", code)).toBe("GuildForbids");
    expect(await change("dora", "pro", true)).toBe("CircuitOpen");
    expect(circuits.unexplained()).toBe(code);
  }
});

test("what keeps the bot from all roles explains the refusal of one", async () => {
  const { circuits, examine, change } = shopWorld();
  await change("ada", "team", "50013");
  examine({ code: "manage_roles", blocking: true, sentence: "" });
  expect([circuits.unexplained(), circuits.isOpen()]).toEqual([null, true]);
  expect(examine()).toBe(true);
  expect(await change("ada", "team", true)).toBe("done");
});
