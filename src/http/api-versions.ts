import type { ListedRoute } from './route-list.ts';

/** Versions of the interface that the routes are of, sorted: `['v1', 'v2']`. */
export function versionsOf(routes: readonly ListedRoute[]): string[] {
  const versions = new Set<string>();
  for (const { path } of routes) {
    const version = path.split('/')[2] ?? '';
    if (path.startsWith('/api/v') && /^v\d+$/.test(version)) versions.add(version);
  }
  return [...versions].sort();
}
