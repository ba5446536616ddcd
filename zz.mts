const { LiteParse } = await import('@llamaindex/liteparse')
const { config } = await import('./src/ingest/parse/pdf/pdf.ts')
const [path, page, re] = process.argv.slice(2)
const p = (await new LiteParse({ ...config, targetPages: page }).parse(path)).pages[0]
const r = new RegExp(re)
for (const i of p.textItems) if (r.test(i.text)) console.log(JSON.stringify({ t: i.text, x: i.x, y: i.y, w: i.width, h: i.height, f: i.fontName, s: i.fontSize, words: (i.words ?? []).map((w: any) => [w.text, ...[w.x, w.y, w.width, w.height].map((n: number) => +n.toFixed(1))].join(' ')) }))
for (const b of p.blocks ?? []) if (r.test(b.text ?? '')) console.log('BLOCK', b.type ?? b.kind, b.text)
process.exit(0)
