/** Draws a description of the interface: what stands between backticks is code. */
export function CodeWords({ text = '' }: { readonly text: string | undefined }) {
  // Every second part is what the brackets match.
  return text.split(/`([^`]+)`/).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text have no other name.
      <code key={index}>{part}</code>
    ),
  );
}
