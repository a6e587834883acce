import type { ClearedReader } from '../result-views/cleared-reader.ts';
import { isEmptyResultKey } from '../result-views/empty-result.ts';
import { visibleContent } from '../result-views/format-result.ts';
import type { ResultContent, ResultFile } from '../result-views/result-content.ts';

/** A file of a submission with the files extracted from it (contract/analysis.md section 4.9). */
export interface FileTreeNode {
  readonly name: readonly string[];
  readonly type: string;
  readonly sha256: string;
  readonly size: number | bigint;
  readonly children: FileTree;
  /** True when a child stands elsewhere in the tree. */
  readonly truncated: boolean;
  readonly score: number;
}

export type FileTree = Readonly<Record<string, FileTreeNode>>;

export interface SubmissionTree {
  readonly tree: FileTree;
  readonly classification: string;
  /** True when the reader may not see a file or a section of a result. */
  readonly filtered: boolean;
  /** True when the tree may change or lacks something: it is not cached. */
  readonly partial: boolean;
  readonly supplementary: readonly string[];
}

/** The parts of a stored file that a tree shows. */
export interface TreeFile {
  readonly sha256: string;
  readonly classification: string;
  readonly type: string;
  readonly size: number | bigint;
}

export interface TreeInput {
  /** The submitted files. */
  readonly roots: readonly { readonly name: string; readonly sha256: string }[];
  readonly isCompleted: boolean;
  /** Documents of the files by SHA-256, of every classification. */
  readonly files: ReadonlyMap<string, TreeFile>;
  /** Results with content by key. */
  readonly results: ReadonlyMap<string, ResultContent>;
  readonly lacksResults: boolean;
  /** Levels of files below the submitted ones. */
  readonly maxDepth: number;
  /** Lists a file under each of its parents, instead of once. */
  readonly everyParent: boolean;
}

/** Nodes of a tree that lists files under each parent; beyond, files stand once. */
const MAX_NODES = 20_000;

/** Visible contents of the results of one file. */
interface FileContents {
  score: number;
  readonly extracted: ResultFile[];
}

/** Builds the tree of a submission as the reader may see it. */
export function buildFileTree(input: TreeInput, reader: ClearedReader): SubmissionTree {
  return new TreeBuilder(input, reader).build();
}

class TreeBuilder {
  readonly #input: TreeInput;
  readonly #reader: ClearedReader;
  readonly #contents = new Map<string, FileContents>();
  readonly #names = new Map<string, Set<string>>();
  readonly #supplementary = new Set<string>();
  /** Files that have a place in the tree. */
  readonly #placed = new Set<string>();
  readonly #classifications = new Set<string>();
  #nodes = 0;
  #filtered = false;
  #partial: boolean;

  constructor(input: TreeInput, reader: ClearedReader) {
    this.#input = input;
    this.#reader = reader;
    this.#partial = !input.isCompleted || input.lacksResults;
  }

  build(): SubmissionTree {
    const { roots, results, files } = this.#input;
    for (const [key, result] of results) if (!isEmptyResultKey(key)) this.#addContents(result);
    const tree: Record<string, FileTreeNode> = {};
    for (const root of roots) {
      this.#placed.add(root.sha256);
      this.#place(root, tree, 0);
    }
    for (const { classification } of files.values()) {
      if (this.#reader.sees(classification)) this.#classifications.add(classification);
      else this.#filtered = true;
    }
    return {
      tree,
      classification: this.#reader.top(this.#classifications),
      filtered: this.#filtered,
      partial: this.#partial || this.#filtered,
      supplementary: [...this.#supplementary],
    };
  }

  #addContents(result: ResultContent): void {
    const file = this.#input.files.get(result.sha256);
    if (file === undefined || !this.#reader.sees(file.classification)) return;
    const content = visibleContent(result, file.classification, this.#reader);
    if (content.hidesSections || content.hidesFiles) this.#filtered = true;
    const contents = this.#contents.get(result.sha256) ?? { score: 0, extracted: [] };
    this.#contents.set(result.sha256, contents);
    contents.score += content.score;
    contents.extracted.push(...content.extracted);
    for (const { sha256, name } of content.extracted) {
      const names = this.#names.get(sha256) ?? new Set();
      this.#names.set(sha256, names.add(name));
    }
    for (const { sha256 } of content.supplementary) this.#supplementary.add(sha256);
  }

  #place(
    { sha256, name }: { readonly sha256: string; readonly name: string },
    branch: Record<string, FileTreeNode>,
    depth: number,
  ): void {
    if (depth > this.#input.maxDepth || Object.hasOwn(branch, sha256)) return;
    const file = this.#input.files.get(sha256);
    if (file === undefined) {
      this.#partial = true;
      return;
    }
    if (!this.#reader.sees(file.classification)) return;
    this.#nodes += 1;
    const children: Record<string, FileTreeNode> = {};
    const contents = this.#contents.get(sha256);
    let truncated = false;
    for (const child of contents?.extracted ?? []) {
      const repeats = this.#input.everyParent && this.#nodes < MAX_NODES;
      if (this.#placed.has(child.sha256) && !repeats) truncated = true;
      else {
        this.#placed.add(child.sha256);
        this.#place(child, children, depth + 1);
      }
    }
    branch[sha256] = {
      name: [...(this.#names.get(sha256) ?? [name])],
      type: file.type,
      sha256: file.sha256,
      size: file.size,
      children,
      truncated,
      score: contents?.score ?? 0,
    };
  }
}

/** Yields the files of a tree with their names, each place once. */
export function* treeNodes(tree: FileTree): Generator<FileTreeNode> {
  for (const node of Object.values(tree)) {
    yield node;
    yield* treeNodes(node.children);
  }
}
