/** Returns a member of a JSON document whose shape the service does not describe. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

export function stringMember(value: unknown, name: string): string {
  const member = memberOf(value, name);
  return typeof member === 'string' ? member : '';
}

export function numberMember(value: unknown, name: string): number {
  const member = memberOf(value, name);
  return typeof member === 'number' && Number.isFinite(member) ? member : 0;
}

export function listMember(value: unknown, name: string): readonly unknown[] {
  const member = memberOf(value, name);
  return Array.isArray(member) ? member : [];
}

export function entriesMember(value: unknown, name: string): [string, unknown][] {
  const member = memberOf(value, name);
  return typeof member === 'object' && member !== null && !Array.isArray(member) ? Object.entries(member) : [];
}
