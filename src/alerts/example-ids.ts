/** Identifiers in the examples of the documentation. A test stores records under them. */
export const EXAMPLE_IDS = {
  hit: '5FyQX1gnlIXt1hFDQ7tRUW',
  event: '2bVYk0ZqPLr7m3cJd9TfGs',
  case: '1aNQeWm4XoZkRt7Ub5ycHv',
  view: '3kTgs8HdYwLm0pQzXe6rVj',
  dossier: '4mCxa7BfNqUo2sWyKi9tZl',
  action: '6pRvd5EhJzTn8uAxMb1gQo',
  analytic: '7qSwe3FiKaVp4vByNc2hRt',
  overview: '8rUxf9GjLcWq6wCzOd3iSu',
  template: '9sVyg1HkMdXr0xDaPe4jTv',
  comment: '0tWzh2InNeYs3yEbQf5kUw',
  item: '2uXai4JoOfZt5zFcRg6lVx',
  rule: '4vYbj6KpPgAu7aGdSh7mWy',
} as const;

/** Kinds of records and parts that have an identifier in the documentation. */
export type ExampleKind = keyof typeof EXAMPLE_IDS;

/** Description and example of an identifier in a path. */
export function idOf(kind: ExampleKind): readonly [description: string, example: string] {
  return [`Identifier of the ${kind === 'hit' ? 'alert' : kind}.`, EXAMPLE_IDS[kind]];
}
