import { Type } from 'typebox';
import { InvalidInput } from '../errors/errors.ts';
import { refusing } from '../input/input-kinds.ts';

/** Characters of a comment. */
export const MAX_COMMENT_LENGTH = 5000;

/** Text of a comment. `tooLong` is the message for one above the limit. */
export function commentText(tooLong: string) {
  const schema = Type.String({
    minLength: 1,
    maxLength: MAX_COMMENT_LENGTH,
    description: 'What it says, as Markdown.',
    examples: ['The user was on a **VPN**.'],
  });
  return refusing(schema, ({ value }) => {
    if (!value) return new InvalidInput('comment_empty', 'Value cannot be empty.', { at: 'value' });
    return typeof value === 'string'
      ? new InvalidInput('comment_too_long', tooLong, { at: 'value' })
      : new InvalidInput('comment_not_text', 'Value must be a string.', { at: 'value' });
  });
}

export const ReactionBody = Type.Object({
  type: refusing(
    Type.String({ minLength: 1, description: 'Name of the reaction.', examples: ['thumbsup'] }),
    () => new InvalidInput('reaction_empty', 'Type cannot be empty.', { at: 'type' }),
  ),
});
