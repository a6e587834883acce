const KEY = 'triad.asked-page';

/** Remembers the page that was asked for while a provider signs in. */
export function rememberAskedPage(): void {
  try {
    sessionStorage.setItem(KEY, location.href);
  } catch {
    // Storage may be switched off; the sign-in then leads to the first page.
  }
}

/** Returns the page to show after a sign-in: the one that was asked for. */
export function askedPage(): string {
  if (!location.pathname.startsWith('/sign-in')) return location.href;
  try {
    const kept = sessionStorage.getItem(KEY) ?? '/';
    sessionStorage.removeItem(KEY);
    return URL.parse(kept, location.origin)?.origin === location.origin ? kept : '/';
  } catch {
    return '/';
  }
}
