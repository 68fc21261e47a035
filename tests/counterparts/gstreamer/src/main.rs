use gst::prelude::*;
use gst::MessageView;
use std::error::Error;
use std::io::Read;

/// Plays the pipeline of its arguments until it ends, or standard input does. Then it says what each fakesink was given,
/// as "video 120", and stops in an orderly way: what it has opened on a server is ended.
fn main() -> Result<(), Box<dyn Error>> {
    gst::init()?;
    gstwebrtchttp::plugin_register_static()?;
    let words: Vec<String> = std::env::args().skip(1).collect();
    let pipeline = gst::parse::launch(&words.join(" "))?.downcast::<gst::Pipeline>().map_err(|_| "no pipeline")?;
    let bus = pipeline.bus().ok_or("the pipeline has no bus")?;
    let told = bus.clone();
    std::thread::spawn(move || {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        let _ = told.post(gst::message::Eos::new());
    });
    pipeline.set_state(gst::State::Playing)?;
    let last = bus.timed_pop_filtered(gst::ClockTime::NONE, &[gst::MessageType::Eos, gst::MessageType::Error]);
    for sink in pipeline.iterate_sinks().into_iter().flatten().filter(|sink| sink.name().starts_with("fakesink")) {
        let caps = sink.static_pad("sink").and_then(|pad| pad.current_caps());
        let kind = caps.and_then(|caps| Some(caps.structure(0)?.get::<String>("media").ok()?));
        let given = sink.property::<gst::Structure>("stats").get::<u64>("rendered")?;
        println!("{} {given}", kind.as_deref().unwrap_or("nothing"));
    }
    pipeline.set_state(gst::State::Null)?;
    match last.as_ref().map(|message| message.view()) {
        Some(MessageView::Error(error)) => Err(format!("{} ({:?})", error.error(), error.debug()).into()),
        _ => Ok(()),
    }
}
