/// The script of all documents. Arrow keys move between marks, and a mark can be chosen.
///
/// The text contains nothing from a page, so a document can allow it by its hash and forbid every other script.
enum HTMLScript {
    /// The hash of `text`. A test computes it again.
    static let hash = "sha256-wmUp+zVphOGkRO4QXKsVFtYFuMFglHPfM34qzhP1N/Q="

    static let text = """
        (function(){'use strict';
        var all=function(q,e){return Array.prototype.slice.call((e||document).querySelectorAll(q))};
        var seen=function(e){return e.getClientRects().length>0};
        function choose(o,i,back){
        var r=document.getElementById('o'+o+'-'+i);
        if(!r||r.disabled)return;
        r.checked=true;
        if(!back)return;
        var f=all('figure[data-c="'+back.c+'"]').filter(seen)[0];
        var m=f&&all('.m',f).filter(seen)[back.m];
        if(m)m.focus();
        }
        all('figure.c').forEach(function(f){
        var o=f.getAttribute('data-o'),ro=f.querySelector('.ro');
        function tell(e){
        var t=e&&e.querySelector('title');
        ro.textContent=t?t.textContent:'';
        ro.classList.toggle('is',!!t);
        }
        all('svg',f).forEach(function(s){
        var marks=all('.m',s);
        marks.forEach(function(m,i){
        var n=i;
        if(m.hasAttribute('tabindex'))m.setAttribute('tabindex',i?'-1':'0');
        function act(){
        if(o===null||!m.hasAttribute('data-i'))return;
        var on=m.getAttribute('aria-pressed')==='true';
        choose(o,on?0:m.getAttribute('data-i'),{c:f.getAttribute('data-c'),m:n});
        }
        m.addEventListener('click',act);
        m.addEventListener('focus',function(){tell(m)});
        m.addEventListener('blur',function(){tell(null)});
        m.addEventListener('pointerenter',function(){tell(m)});
        m.addEventListener('pointerleave',function(){tell(null)});
        m.addEventListener('keydown',function(e){
        var to={ArrowRight:n+1,ArrowDown:n+1,ArrowLeft:n-1,ArrowUp:n-1,Home:0,End:marks.length-1}[e.key];
        if(to===undefined){
        if(e.key==='Enter'||e.key===' '){e.preventDefault();act()}
        if(e.key==='Escape')choose(o,0,{c:f.getAttribute('data-c'),m:n});
        return;
        }
        e.preventDefault();
        var next=marks[(to+marks.length)%marks.length];
        if(!next)return;
        m.setAttribute('tabindex','-1');
        next.setAttribute('tabindex','0');
        next.focus();
        });
        });
        });
        });
        })();
        """
}
