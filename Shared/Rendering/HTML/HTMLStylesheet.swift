/// The style sheet that all documents share.
enum HTMLStylesheet {
    static let light =
        "color-scheme:light;--bg:#FFFFFF;--ink:#1D1D1F;--ink2:#55555D;--card:#F4F4F6;--line:#DADAE0;"
        + "--grid:#E6E6EB;--seg:#E9E9EE;--on:#FFFFFF;--focus:#0A62DB;"
    static let dark =
        "color-scheme:dark;--bg:#151518;--ink:#F5F5F7;--ink2:#B9B9C2;--card:#222227;--line:#3A3A42;"
        + "--grid:#303037;--seg:#2A2A30;--on:#55555F;--focus:#7DB4FF;"

    static let rules = """
        *{box-sizing:border-box}
        html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
        body{margin:0;background:var(--bg);color:var(--ink);font:400 1.0625rem/1.35 system-ui,-apple-system,\
        "Segoe UI","Apple SD Gothic Neo","Malgun Gothic","Noto Sans KR","Noto Sans CJK KR",NanumGothic,Roboto,\
        "Noto Sans",sans-serif;word-break:keep-all;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
        main{max-width:46rem;margin:0 auto;padding:1.75rem 1.125rem 3rem;display:flex;flex-direction:column;\
        align-items:center}
        h1,h2,h3,h4,h5,h6,p,figure,ul,fieldset{margin:0;padding:0;border:0;font:inherit}
        ul{list-style:none}
        .pt{align-self:stretch;font-size:1.75rem;font-weight:700;line-height:1.2;letter-spacing:-.01em;\
        margin-bottom:1.25rem}
        .vh{position:fixed;top:0;left:0;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);\
        white-space:nowrap;margin:0;padding:0;border:0}
        .v,.h,.b,.z,.o,.t{min-width:0;max-width:100%}
        .v,.b,.var{display:flex;flex-direction:column}
        .var{align-self:stretch;align-items:center}
        .h{display:flex;flex-direction:row}
        .z{display:grid}
        .z>*{grid-area:1/1}
        .o{position:relative;isolation:isolate;display:flex;flex-direction:column}
        .ov{position:absolute;inset:0;display:flex;flex-direction:column;pointer-events:none}
        .be{z-index:-1}
        .ov .seg,.ov .m{pointer-events:auto}
        .t{white-space:pre-line}
        .n{flex-shrink:0;max-width:none}
        .lt{min-width:min(3.5rem,100%)}
        .cl{display:-webkit-box;-webkit-box-orient:vertical;overflow:hidden}
        .fw{align-self:stretch;width:100%;min-width:0}
        .h>.fw{flex:1 1 0;width:auto;align-self:auto}
        .fh{flex:1 1 auto}
        .h>.fh{align-self:stretch;flex:1 1 0}
        .sp{flex:1 1 0}
        .d{border:0;margin:0;align-self:stretch;height:1px;background:var(--line);flex:none}
        .h>.d{height:auto;width:1px}
        .s{position:relative;min-height:10px;min-width:0}
        .s>svg{position:absolute;inset:0;width:100%;height:100%;overflow:visible}
        .i{display:block;flex:none;max-width:100%}
        .g{display:grid}
        .sx{overflow-x:auto;max-width:100%}
        .p{height:6px;border-radius:3px;background:var(--grid);overflow:hidden;min-width:60px}
        .p>i{display:block;height:100%;border-radius:3px}
        .l{background:var(--card);border-radius:12px;overflow:hidden}
        .r{display:flex;flex-direction:column;align-items:flex-start;padding:.6875rem 1rem}
        .r+.r{border-top:1px solid var(--line)}
        .ls{display:flex;flex-direction:column;gap:1.5rem}
        .sh{font-size:.8125rem;font-weight:600;color:var(--ink2);padding:0 1rem .375rem}
        .seg{display:flex;width:100%;background:var(--seg);border-radius:9px;padding:2px;gap:2px}
        .seg label{flex:1 1 0;min-width:0;text-align:center;font-size:.875rem;line-height:1.2;padding:.4rem .5rem;\
        border-radius:7px;cursor:pointer;color:var(--ink)}
        .seg .on{background:var(--on);font-weight:600;box-shadow:0 1px 3px rgba(0,0,0,.16)}
        .seg .no{cursor:default;color:var(--ink2)}
        .c{position:relative;container-type:inline-size;display:flex;flex-direction:column;gap:.625rem}
        .c.row{flex-direction:row;align-items:center;gap:1rem}
        .c.row>svg{flex:1 1 0;min-width:0}
        .c>svg{display:block;width:100%;height:auto;overflow:visible}
        .c>svg.u,.c>svg.n,.c>svg.w,.c>svg.x,.c>svg.y{display:none}
        @container (max-width:289.99px){.c>svg.u{display:block}.c>svg.k{display:none}}
        @container (min-width:425px) and (max-width:579.99px){.c>svg.n{display:block}.c>svg.k{display:none}}
        @container (min-width:580px){.c>svg.w{display:block}.c>svg.k{display:none}}
        @container (min-width:580px) and (max-width:719.99px){.c>svg.x{display:block}.c>svg.k{display:none}}
        @container (min-width:720px){.c>svg.y{display:block}.c>svg.k{display:none}}
        .pi{display:grid;grid-template:"p" auto "l" auto/minmax(0,1fr);gap:.625rem 1rem;align-items:center;\
        align-content:start}
        .piu{grid-template:"l" auto "p" auto/minmax(0,1fr)}
        .pin{grid-template:"p" auto/minmax(0,1fr)}
        .pil{grid-template:"l p" auto/auto minmax(0,1fr)}
        .pit{grid-template:"p l" auto/minmax(0,1fr) auto}
        .pi>.c,.pi>.pi{display:contents}
        .pi>.c>svg,.pi>.ov{grid-area:p}
        .pi>.c>.lg{grid-area:l}
        .c .gl{stroke:var(--grid);stroke-width:1}
        .c .gb{stroke:var(--line);stroke-width:1}
        .c .m{outline:none}
        .c [role=button]{cursor:pointer}
        .c .m:focus-visible,.c .dot:focus{stroke:var(--focus);stroke-width:3;opacity:1!important}
        .c .dot:hover{opacity:1!important}
        .c .x{display:none}
        .ro{position:absolute;top:0;left:50%;transform:translateX(-50%);max-width:100%;background:var(--ink);\
        color:var(--bg);font-size:.8125rem;line-height:1.3;padding:.25rem .625rem;border-radius:7px;\
        pointer-events:none;visibility:hidden;z-index:2}
        .ro.is{visibility:visible}
        .lg{display:flex;flex-wrap:wrap;gap:.25rem 1rem;font-size:.8125rem}
        .c.row .lg{flex-direction:column;min-width:6rem}
        .lg li{display:flex;align-items:center;gap:.4rem;min-width:0}
        .lg i{width:10px;height:10px;border-radius:3px;flex:none}
        .lg b{font-weight:400;opacity:.999}
        .tb{align-self:stretch;font-size:.8125rem}
        .tb summary{cursor:pointer;color:var(--ink2);width:max-content;max-width:100%;padding:.25rem 0}
        .tb summary:hover{text-decoration:underline}
        .tb div{overflow-x:auto;background:var(--card);color:var(--ink);border-radius:10px;padding:.375rem .875rem}
        .tb table{border-collapse:collapse;width:100%}
        .tb th,.tb td{text-align:start;padding:.375rem 1rem .375rem 0;font-weight:400;vertical-align:baseline;\
        border-top:1px solid var(--line)}
        .tb thead th{border-top:0;font-weight:600}
        .tb .q{text-align:end;white-space:nowrap;padding-right:0;padding-left:1rem}
        :focus-visible{outline:3px solid var(--focus);outline-offset:2px;border-radius:4px}
        .vh:focus-visible,.vh :focus-visible{outline:none}
        @media (prefers-reduced-motion:no-preference){.c .m{transition:opacity .15s}}
        @media (prefers-contrast:more),(forced-colors:active),print{.c .x{display:inline}.c .x.m{display:none}}
        @media (forced-colors:active){.c .m,.lg i,.p>i{forced-color-adjust:none}.seg .on{outline:2px solid}}
        @media print{main{max-width:none;padding:0}.seg .no,.tb,.ro{display:none}.c,.l,.r{break-inside:avoid}\
        *{print-color-adjust:exact;-webkit-print-color-adjust:exact}}

        """
}
