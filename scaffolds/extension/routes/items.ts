import { createRouteGroup, failure, ok, requireLogin } from 'triad/extension';

const ITEMS: Readonly<Record<string, string>> = { first: 'The first item.' };

export const items = createRouteGroup('example-name');

// Open: a JSON body and its status, sent as they are.
items.get('/items/<item_id>', ({ params }) => {
  const text = ITEMS[params.item_id ?? ''];
  return text === undefined ? [{ error: 'There is no such item.' }, 404] : [{ text }, 200];
});

// For callers with a credential; the answer has the envelope of the service.
items.get(
  '/mine',
  requireLogin(({ user }) => ok({ user: user.uname })),
  { summary: 'Who is calling' },
);

items.post('/items', ({ body }) => {
  if (typeof body !== 'object' || body === null) return failure(400, 'Send an item as JSON.');
  return [body, 201];
});
