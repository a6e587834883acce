import { Type } from 'typebox';
import { InvalidInput } from '../../errors/errors.ts';
import { InputProblem, inputReader } from '../../input/input-reader.ts';
import { rejectImpossible } from '../../json/json-limits.ts';

const ClientFrameSchema = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 512 }),
  action: Type.String({ pattern: '^\\w{1,64}$' }),
  broadcast: Type.Boolean(),
});
const read = inputReader(ClientFrameSchema);

/** A message of a client about what the user does with a record. */
export interface ClientFrame {
  /** Identifier of the record. */
  readonly id: string;
  /** One word. `viewing`, `typing` and their ends have an effect of their own; others are only broadcast. */
  readonly action: string;
  /** True if other listeners are told. */
  readonly broadcast: boolean;
}

/** Reads a message of a client. @throws InvalidInput `invalid_frame` */
export function readClientFrame(text: string): ClientFrame {
  try {
    const frame = read(JSON.parse(text));
    if (!(frame instanceof InputProblem)) {
      rejectImpossible(frame);
      return frame;
    }
  } catch (cause) {
    throw invalidFrame(cause);
  }
  throw invalidFrame();
}

/** Has the message of the public system. */
function invalidFrame(cause?: unknown): InvalidInput {
  return new InvalidInput('invalid_frame', 'Sent data is invalid.', { cause });
}
