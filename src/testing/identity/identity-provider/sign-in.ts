import { CookieJar } from '../cookie-jar.ts';

/**
 * Does what a person does in a browser at the provider: opens the address, fills in the form, and
 * follows the redirects until one leads away from the provider. That last address is the result; it has not been
 * opened.
 */
export async function signInAt(
  address: string | URL,
  person: { readonly username: string; readonly password: string },
): Promise<URL> {
  const start = new URL(address);
  const cookies = new CookieJar();
  let next = start;
  let form: URLSearchParams | undefined;
  for (let step = 0; step < 20; step += 1) {
    if (next.origin !== start.origin) return next;
    const answer = await fetch(next, {
      redirect: 'manual',
      headers: { cookie: cookies.header },
      ...(form === undefined ? {} : { method: 'POST', body: form }),
    });
    cookies.keep(answer);
    const location = answer.headers.get('location');
    const page = await answer.text();
    if (location !== null) {
      form = undefined;
      next = new URL(location, next);
      continue;
    }
    const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1];
    if (answer.status !== 200 || action === undefined || form !== undefined) {
      throw new Error(`the provider answered ${next.pathname} with ${answer.status}: ${page.slice(0, 400)}`);
    }
    next = new URL(action.replaceAll('&amp;', '&'), next);
    form = new URLSearchParams({ username: person.username, password: person.password, credentialId: '' });
  }
  throw new Error('the provider redirects without end');
}
