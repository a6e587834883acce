import { type ErrorRecord, errorDocument } from '../../documents/kinds/analysis/error.ts';
import { type FileRecord, fileDocument } from '../../documents/kinds/analysis/file.ts';
import { wholeOutput } from '../../documents/schema/whole-output.ts';

/** Returns a file as clients know it. */
export function fileView(file: FileRecord): FileRecord {
  return wholeOutput(fileDocument, file);
}

/** Returns an error of a service as clients know it. */
export function errorView(error: ErrorRecord): ErrorRecord {
  return wholeOutput(errorDocument, error);
}
