#include "kvstore/protocol/session.h"

namespace mixgrad::kvstore::protocol {

void Session::beat(Time now, Actions& actions) {
  Heartbeat out;
  out.incarnation = incarnation_;
  out.beat = ++beat_;
  out.scheduler = last_scheduler_;
  out.count = last_count_;
  out.epoch = view_.epoch;
  actions.send(NodeId::scheduler(), Kind::heartbeat, out);
  due_ = now + timing_.heartbeat;
}

void Session::on_time(Time now, Actions& actions) {
  if (now >= due_) beat(now, actions);
}

Session::News Session::on_message(Time now, const net::Message& message, Actions& actions) {
  const auto& fields = message.fields;
  switch (static_cast<Kind>(message.kind)) {
    case Kind::answer: {
      Answer answer;
      if (!decode(fields.data(), fields.size(), answer)) return News::nonsense;
      return on_answer(now, answer, actions);
    }
    case Kind::view: {
      ViewIs is;
      if (!decode(fields.data(), fields.size(), is)) return News::nonsense;
      return on_view(is, message.payload);
    }
    case Kind::unfit: {
      Unfit is;
      if (!decode(fields.data(), fields.size(), is)) return News::nonsense;
      if (is.incarnation != incarnation_) return News::none;
      unfit_ = is.why;
      return News::unfit;
    }
    default: return News::nonsense;
  }
}

Session::News Session::on_answer(Time now, const Answer& answer, Actions& actions) {
  if (answer.incarnation != incarnation_ || answer.beat > beat_) return News::none;
  if (answer.beat >= answered_) {
    answered_ = answer.beat;
    last_scheduler_ = answer.scheduler;
    last_count_ = answer.count;
  }
  if (!scheduler_.meets(answer.scheduler, answer.beat, beat_)) {
    if (answer.beat == beat_) beat(now, actions);  // at once, so that it can show that it lives
    return News::none;
  }
  heard_ = now;
  waits_for_ = answer.waits_for;
  return answer.wants_report ? News::wants_report : News::none;
}

Session::News Session::on_view(const ViewIs& is, const net::Payload& payload) {
  if (is.incarnation != incarnation_ || !is_scheduler(is.scheduler)) return News::none;
  View view;
  if (payload.bytes > kMaxViewBytes || !decode(payload.data, payload.bytes, view) || !view.is_sound()) {
    return News::nonsense;
  }
  if (!(view_.epoch < view.epoch)) return News::none;
  const Participant* me = view.participant(self_);
  if (!me || me->incarnation != incarnation_) return News::none;
  view_ = std::move(view);
  return News::adopted;
}

void Session::send_report(Report report, const std::string& last_view, Actions& actions) const {
  report.scheduler = scheduler_.incarnation();
  report.incarnation = incarnation_;
  net::Payload payload;
  if (view_.epoch.number > 0)
    payload = net::Payload::of(encoded(view_));
  else if (!last_view.empty())
    payload = net::Payload::of(last_view);
  actions.send(NodeId::scheduler(), Kind::report, report, std::move(payload));
}

}  // namespace mixgrad::kvstore::protocol
