/**
 * What is known of a layout. It asks for what is missing as `show` is told what is visible.
 * @param {StoreOptions} options
 */
export function createStore(options: StoreOptions): {
    /** @returns {Snapshot} the same object until something changes */
    getSnapshot: () => Snapshot;
    /** Calls `listener` after each change. @param {() => void} listener @returns {() => void} ends it */
    subscribe(listener: any): () => void;
    /**
     * Says what is visible. What is missing is asked for.
     * @param {Rect} rect @param {Anchor} [anchor] what stays in place; by default what is read
     * @param {number} [section] of one that scrolls sideways
     */
    show(rect: Rect, anchor?: Anchor, section?: number): void;
    /** Forgets a section that scrolled sideways. @param {number} section */
    hide(section: any): void;
    /**
     * Changes items, sections or nodes.
     * @param {object[]} updates
     * @param {{isQuiet?: boolean, headers?: Record<string, string>}} [how] quiet: without transitions
     */
    update: (updates: object[], how?: {
        isQuiet?: boolean;
        headers?: Record<string, string>;
    }) => Promise<Summary>;
    /** Changes bounds, options or the kind. @param {object} body @param {{isQuiet?: boolean}} [how] */
    patch: (body: any, how: any) => Promise<Summary>;
    /**
     * Lays the content out in other bounds, if the layout fits its viewer.
     * @param {{width: number, height: number}} size
     * @returns {Promise<void> | undefined} what ends once the layout has them
     */
    resize(size: {
        width: number;
        height: number;
    }): Promise<void> | undefined;
    /** The cell or the section of a place. @param {Place} place @returns {Promise<any>} */
    locate({ item, id, ordinal, section }: {
        item: any;
        id: any;
        ordinal: any;
        section: any;
    }): Promise<any>;
    /** How many items come before a cell, once it is known. @param {Element} element @returns {number | undefined} */
    ordinal({ indexPath: [section, item] }: {
        indexPath: [any, any];
    }): any;
    /** Whether all that is visible is known and no request is under way. */
    isSettled: () => boolean;
    /** Asks whether the layout has changed, or tries again after a failure. */
    refresh(): void;
    close(): void;
};
/**
 * Shows a layout in an element, which needs a size.
 * @param {HTMLElement} container
 * @param {StoreOptions & {render: (element: Element, node?: Node) => Node, measure?: boolean,
 *   animate?: boolean, label?: string, messages?: Partial<Record<Status, string>>}} options
 *   `render` may change the `node` that it gave for another element, and return it.
 */
export function mount(container: HTMLElement, options: StoreOptions & {
    render: (element: Element, node?: Node) => Node;
    measure?: boolean;
    animate?: boolean;
    label?: string;
    messages?: Partial<Record<Status, string>>;
}): {
    store: {
        /** @returns {Snapshot} the same object until something changes */
        getSnapshot: () => Snapshot;
        /** Calls `listener` after each change. @param {() => void} listener @returns {() => void} ends it */
        subscribe(listener: any): () => void;
        /**
         * Says what is visible. What is missing is asked for.
         * @param {Rect} rect @param {Anchor} [anchor] what stays in place; by default what is read
         * @param {number} [section] of one that scrolls sideways
         */
        show(rect: Rect, anchor?: Anchor, section?: number): void;
        /** Forgets a section that scrolled sideways. @param {number} section */
        hide(section: any): void;
        /**
         * Changes items, sections or nodes.
         * @param {object[]} updates
         * @param {{isQuiet?: boolean, headers?: Record<string, string>}} [how] quiet: without transitions
         */
        update: (updates: object[], how?: {
            isQuiet?: boolean;
            headers?: Record<string, string>;
        }) => Promise<Summary>;
        /** Changes bounds, options or the kind. @param {object} body @param {{isQuiet?: boolean}} [how] */
        patch: (body: any, how: any) => Promise<Summary>;
        /**
         * Lays the content out in other bounds, if the layout fits its viewer.
         * @param {{width: number, height: number}} size
         * @returns {Promise<void> | undefined} what ends once the layout has them
         */
        resize(size: {
            width: number;
            height: number;
        }): Promise<void> | undefined;
        /** The cell or the section of a place. @param {Place} place @returns {Promise<any>} */
        locate({ item, id, ordinal, section }: {
            item: any;
            id: any;
            ordinal: any;
            section: any;
        }): Promise<any>;
        /** How many items come before a cell, once it is known. @param {Element} element @returns {number | undefined} */
        ordinal({ indexPath: [section, item] }: {
            indexPath: [any, any];
        }): any;
        /** Whether all that is visible is known and no request is under way. */
        isSettled: () => boolean;
        /** Asks whether the layout has changed, or tries again after a failure. */
        refresh(): void;
        close(): void;
    };
    scrollTo: ({ align, behavior, ...place }: Place & {
        at?: [number, number];
        align?: 'start' | 'center' | 'end' | 'nearest';
        behavior?: ScrollBehavior;
    }) => Promise<{
        element: Element;
        visible: Rect;
        isInterrupted: boolean;
    }>;
    /** What is visible now. @returns {Rect} */
    readonly visible: Rect;
    /** Ends it and empties the container. */
    destroy(): void;
};
/**
 * x, y, width, height in points.
 * @typedef {[number, number, number, number]} Rect
 * @typedef {[section: number, item: number]} IndexPath
 * @typedef {{category: 'cell' | 'supplementary' | 'decoration', kind?: string, indexPath: IndexPath,
 *   frame: Rect, zIndex: number, id?: string, ordinal?: number, pinRange?: [number, number],
 *   children?: IndexPath[], key: string}} Element `key` names the same element in every snapshot.
 * @typedef {{id: string, kind: string, version: number, versionTag?: string, bounds?: {width: number, height?: number},
 *   contentSize: {width: number, height: number},
 *   counts: {sections: number, cells: number, supplementary: number, decorations: number},
 *   [member: string]: any}} Summary
 * @typedef {{section: number, id?: string, kind: string, items: number, frame: Rect, body: Rect}} Section
 * @typedef {{appearing: Element[], disappearing: Element[], moving: {from: Element, to: Element}[],
 *   shift: [number, number]}} Transitions What a change did; `shift` is how far `visible` moved.
 * @typedef {'opening' | 'ready' | 'busy' | 'offline' | 'gone' | 'unauthorized' | 'tooLarge' | 'failed'} Status
 * @typedef {{status: Status, error: Error | null, layout: Summary | null, content: Rect,
 *   rightToLeft: boolean, elements: readonly Element[], version: number, visible: Rect | null,
 *   covered: Rect | null, sections: ReadonlyMap<number, Section>,
 *   transitions: Transitions | null}} Snapshot Never changes.
 * @typedef {{kind: string, bounds?: {width?: number, height?: number}, options?: object,
 *   sections?: object[], [member: string]: any}} Body What `prepare` takes, with its kind.
 * @typedef {string | Body} Source The id of a layout, or what to prepare.
 * @typedef {{item?: IndexPath, id?: string, ordinal?: number, section?: number | string}} Place
 * @typedef {{key?: string, element: Element, part?: [number, number], offset?: [number, number]}} Anchor
 * @typedef {{server: string, layout: Source | ((gone?: string) => Source | Promise<Source>),
 *   authorization?: string | (() => string | Promise<string>), overscan?: number, fit?: boolean,
 *   bands?: number, follow?: boolean,
 *   fetch?: typeof fetch,
 *   bounds?: {width: number, height: number}}} StoreOptions
 */
/** The answer was no success. `problem` is the problem document (RFC 9457), if there is one. */
export class LayoutError extends Error {
    /** @param {number} status @param {any} problem */
    constructor(status: number, problem: any);
    status: number;
    problem: any;
}
/**
 * x, y, width, height in points.
 */
export type Rect = [number, number, number, number];
/**
 * x, y, width, height in points.
 */
export type IndexPath = [section: number, item: number];
/**
 * `key` names the same element in every snapshot.
 */
export type Element = {
    category: 'cell' | 'supplementary' | 'decoration';
    kind?: string;
    indexPath: [section: number, item: number];
    frame: [number, number, number, number];
    zIndex: number;
    id?: string;
    ordinal?: number;
    pinRange?: [number, number];
    children?: [section: number, item: number][];
    key: string;
};
/**
 * x, y, width, height in points.
 */
export type Summary = {
    [member: string]: any;
    id: string;
    kind: string;
    version: number;
    versionTag?: string;
    bounds?: {
        width: number;
        height?: number;
    };
    contentSize: {
        width: number;
        height: number;
    };
    counts: {
        sections: number;
        cells: number;
        supplementary: number;
        decorations: number;
    };
};
/**
 * x, y, width, height in points.
 */
export type Section = {
    section: number;
    id?: string;
    kind: string;
    items: number;
    frame: [number, number, number, number];
    body: [number, number, number, number];
};
/**
 * What a change did; `shift` is how far `visible` moved.
 */
export type Transitions = {
    appearing: Element[];
    disappearing: Element[];
    moving: {
        from: Element;
        to: Element;
    }[];
    shift: [number, number];
};
/**
 * x, y, width, height in points.
 */
export type Status = 'opening' | 'ready' | 'busy' | 'offline' | 'gone' | 'unauthorized' | 'tooLarge' | 'failed';
/**
 * Never changes.
 */
export type Snapshot = {
    status: Status;
    error: Error | null;
    layout: Summary | null;
    content: [number, number, number, number];
    rightToLeft: boolean;
    elements: readonly Element[];
    version: number;
    visible: [number, number, number, number] | null;
    covered: [number, number, number, number] | null;
    sections: ReadonlyMap<number, Section>;
    transitions: Transitions | null;
};
/**
 * What `prepare` takes, with its kind.
 */
export type Body = {
    [member: string]: any;
    kind: string;
    bounds?: {
        width?: number;
        height?: number;
    };
    options?: object;
    sections?: object[];
};
/**
 * The id of a layout, or what to prepare.
 */
export type Source = string | Body;
/**
 * x, y, width, height in points.
 */
export type Place = {
    item?: [section: number, item: number];
    id?: string;
    ordinal?: number;
    section?: number | string;
};
/**
 * x, y, width, height in points.
 */
export type Anchor = {
    key?: string;
    element: Element;
    part?: [number, number];
    offset?: [number, number];
};
/**
 * x, y, width, height in points.
 */
export type StoreOptions = {
    server: string;
    layout: Source | ((gone?: string) => Source | Promise<Source>);
    authorization?: string | (() => string | Promise<string>);
    overscan?: number;
    fit?: boolean;
    bands?: number;
    follow?: boolean;
    fetch?: typeof fetch;
    bounds?: {
        width: number;
        height: number;
    };
};
/**
 * Hears of new versions of a layout. All that a page follows of a server comes on one stream, for browsers
 * open six connections to a host.
 * @param {StoreOptions} options @param {typeof fetch} request @param {() => Promise<object>} headers
 * @param {string} id @param {(event: {version?: number, reason?: string}) => void} listener
 */
declare function follow({ server, authorization }: StoreOptions, request: typeof fetch, headers: () => Promise<object>, id: string, listener: (event: {
    version?: number;
    reason?: string;
}) => void): () => void;
export {};
