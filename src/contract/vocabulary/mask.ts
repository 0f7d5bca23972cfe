/** An email as everybody may see it: `m•••@e•••.com`. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf("@");
  const [name, domain] = [email.slice(0, at), email.slice(at + 1)];
  const dot = domain.lastIndexOf(".");
  const ending = dot > 0 ? domain.slice(dot) : "";
  return `${first(name)}•••@${first(domain)}•••${ending}`;
}

/** A username as a stranger may see it: `a•••a`. */
export const maskName = (name: string) => `${first(name)}•••${name.slice(-1)}`;

/** The first character, not half of a surrogate pair. */
const first = (text: string) => [...text][0] ?? "";
