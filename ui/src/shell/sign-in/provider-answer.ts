/** Arguments of the address that a provider sends the browser to (RFC 6749 section 4.1.2, RFC 9207). */
const ARGUMENTS = ['code', 'state', 'iss', 'error', 'error_description'] as const;

/** Returns the whole answer of a provider: the server verifies its issuer, and says a refusal. */
export function providerAnswer(search: string): Readonly<Partial<Record<(typeof ARGUMENTS)[number], string>>> {
  const given = new URLSearchParams(search);
  return Object.fromEntries(
    ARGUMENTS.flatMap((name) => {
      const value = given.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}
