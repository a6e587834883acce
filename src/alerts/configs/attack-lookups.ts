interface Entry {
  readonly key: string;
  readonly name: string;
  readonly url: string;
}

/** Returns the lists `tactics` and `techniques` of a table by identifier (contract/alert.md 6.5). */
export function attackLookups(table: string): Readonly<Record<'tactics' | 'techniques', Record<string, Entry>>> {
  const lookups = { tactics: {} as Record<string, Entry>, techniques: {} as Record<string, Entry> };
  for (const line of table.split('\n')) {
    const [key = '', name] = line.split('\t', 2);
    if (name === undefined || !key.startsWith('T')) continue;
    const list = key.startsWith('TA') ? 'tactics' : 'techniques';
    lookups[list][key] = { key, name, url: `https://attack.mitre.org/${list}/${key.replace('.', '/')}` };
  }
  return lookups;
}
