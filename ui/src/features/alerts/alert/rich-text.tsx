import { Value } from '../../../design/data/values/value.tsx';

/** Draws what a person wrote. */
export function RichText({ text }: { readonly text: string }) {
  return <Value value={text} lines limit={5000} />;
}
